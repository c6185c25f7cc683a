import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { basePath } from './api/client.ts';
import { statusOf } from './api/errors.ts';
import { queryClient, sessionQuery } from './api/session.ts';
import { NoPage, NoSuchAddress, PageError } from './shell/faults.tsx';
import { chunk } from './shell/missing-chunk.ts';
import { lastAgent } from './shell/remembered.ts';
import { PendingShell, Shell } from './shell/shell.tsx';

/** Search parameters come from the address bar: objects and empty values are left out. */
function texts<Name extends string>(search: Record<string, unknown>, ...names: Name[]): { [Key in Name]?: string } {
  const given = names.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === '' || typeof value === 'object' ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(given) as { [Key in Name]?: string };
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchAddress, errorComponent: PageError });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search) => texts(search, 'to', 'tenant', 'refused'),
  component: lazyRouteComponent(() => chunk(import('./pages/login/page.tsx')), 'Login'),
});

/** The login page, with the address to return to. */
export function loginFrom(href: string) {
  return { to: '/login' as const, search: href === '/' ? {} : { to: href } };
}

/** Sends people who are not logged in to the login page. */
async function requireLogin(href: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
    throw redirect(loginFrom(href));
  }
}

/** Without the shell: people come from an application, and go back to it. */
const authorize = createRoute({
  getParentRoute: () => root,
  path: '/authorize/$id',
  beforeLoad: ({ location }) => requireLogin(location.href),
  component: lazyRouteComponent(() => chunk(import('./pages/authorize/page.tsx')), 'Authorize'),
  errorComponent: PageError,
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: (search) => texts(search, 'agent'),
  search: { middlewares: [retainSearchParams(['agent'])] },
  beforeLoad: async ({ location }) => {
    await requireLogin(location.href);
    const agent = lastAgent();
    if (agent !== undefined && Object.keys(location.search).length === 0) {
      throw redirect({ to: location.pathname, search: { agent }, replace: true });
    }
  },
  component: Shell,
  pendingComponent: PendingShell,
  // At once, and no longer than needed.
  pendingMs: 0,
  pendingMinMs: 0,
  notFoundComponent: NoPage,
  errorComponent: PageError,
});

const dashboards = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: (search) => texts(search, 'tab', 'from', 'to', 'full'),
  component: lazyRouteComponent(() => chunk(import('./pages/dashboards/page.tsx')), 'Dashboards'),
});

const newCard = createRoute({
  getParentRoute: () => shell,
  path: '/cards/new',
  validateSearch: (search) => texts(search, 'tab', 'copy', 'config'),
  component: lazyRouteComponent(() => chunk(import('./pages/cards/page.tsx')), 'NewCard'),
});

const editCard = createRoute({
  getParentRoute: () => shell,
  path: '/cards/$id',
  component: lazyRouteComponent(() => chunk(import('./pages/cards/page.tsx')), 'EditCard'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  validateSearch: (search) => texts(search, 'name', 'page', 'event', 'eventName'),
  component: lazyRouteComponent(() => chunk(import('./pages/events/feed/page.tsx')), 'Feed'),
});

const queryEvents = createRoute({
  getParentRoute: () => shell,
  path: '/events/query',
  validateSearch: (search) => texts(search, 'question'),
  component: lazyRouteComponent(() => chunk(import('./pages/events/query/page.tsx')), 'QueryEvents'),
});

const aggregateEvents = createRoute({
  getParentRoute: () => shell,
  path: '/events/aggregate',
  validateSearch: (search) => texts(search, 'question', 'chart'),
  component: lazyRouteComponent(() => chunk(import('./pages/events/aggregate/page.tsx')), 'AggregateEvents'),
});

const cases = createRoute({
  getParentRoute: () => shell,
  path: '/cases/$handle',
  validateSearch: (search) => texts(search, 'page', 'event', 'eventName'),
  component: lazyRouteComponent(() => chunk(import('./pages/cases/page.tsx')), 'Cases'),
});

const metrics = createRoute({
  getParentRoute: () => shell,
  path: '/metrics',
  validateSearch: (search) => texts(search, 'search'),
  component: lazyRouteComponent(() => chunk(import('./pages/metrics/list/page.tsx')), 'Metrics'),
});

/** No metric has this name: names have no hyphen. */
const newMetric = createRoute({
  getParentRoute: () => shell,
  path: '/metrics/new-metric',
  validateSearch: (search) => texts(search, 'question'),
  component: lazyRouteComponent(() => chunk(import('./pages/metrics/editor/page.tsx')), 'NewMetric'),
});

const metric = createRoute({
  getParentRoute: () => shell,
  path: '/metrics/$name',
  validateSearch: (search) => texts(search, 'from', 'to'),
  component: lazyRouteComponent(() => chunk(import('./pages/metrics/detail/page.tsx')), 'MetricPage'),
});

const editMetric = createRoute({
  getParentRoute: () => shell,
  path: '/metrics/$name/edit',
  component: lazyRouteComponent(() => chunk(import('./pages/metrics/editor/page.tsx')), 'EditMetric'),
});

const explain = createRoute({
  getParentRoute: () => shell,
  path: '/explain',
  validateSearch: (search) => texts(search, 'question'),
  component: lazyRouteComponent(() => chunk(import('./pages/explain/page.tsx')), 'Explain'),
});

const segments = createRoute({
  getParentRoute: () => shell,
  path: '/segments',
  validateSearch: (search) => texts(search, 'search'),
  component: lazyRouteComponent(() => chunk(import('./pages/segments/page.tsx')), 'Segments'),
});

/** No segment has this name: names have no hyphen. */
const newSegment = createRoute({
  getParentRoute: () => shell,
  path: '/segments/new-segment',
  component: lazyRouteComponent(() => chunk(import('./pages/segments/editor/page.tsx')), 'NewSegment'),
});

const editSegment = createRoute({
  getParentRoute: () => shell,
  path: '/segments/$name/edit',
  component: lazyRouteComponent(() => chunk(import('./pages/segments/editor/page.tsx')), 'EditSegment'),
});

const terms = createRoute({
  getParentRoute: () => shell,
  path: '/terms',
  validateSearch: (search) => texts(search, 'search'),
  component: lazyRouteComponent(() => chunk(import('./pages/terms/page.tsx')), 'Terms'),
});

const annotations = createRoute({
  getParentRoute: () => shell,
  path: '/annotations',
  component: lazyRouteComponent(() => chunk(import('./pages/annotations/page.tsx')), 'Annotations'),
});

const gaps = createRoute({
  getParentRoute: () => shell,
  path: '/gaps',
  component: lazyRouteComponent(() => chunk(import('./pages/gaps/page.tsx')), 'Gaps'),
});

const alerts = createRoute({
  getParentRoute: () => shell,
  path: '/alerts',
  validateSearch: (search) => texts(search, 'state'),
  component: lazyRouteComponent(() => chunk(import('./pages/alerts/list/page.tsx')), 'Alerts'),
});

/** No alert has this id: ids are UUIDs. */
const newAlert = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/new-alert',
  validateSearch: (search) => texts(search, 'cardId', 'metric'),
  component: lazyRouteComponent(() => chunk(import('./pages/alerts/editor/page.tsx')), 'NewAlert'),
});

const alert = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/$id',
  component: lazyRouteComponent(() => chunk(import('./pages/alerts/detail/page.tsx')), 'AlertPage'),
});

const editAlert = createRoute({
  getParentRoute: () => shell,
  path: '/alerts/$id/edit',
  component: lazyRouteComponent(() => chunk(import('./pages/alerts/editor/page.tsx')), 'EditAlert'),
});

const digests = createRoute({
  getParentRoute: () => shell,
  path: '/digests',
  component: lazyRouteComponent(() => chunk(import('./pages/digests/list/page.tsx')), 'Digests'),
});

/** No digest has this id: ids are UUIDs. */
const newDigest = createRoute({
  getParentRoute: () => shell,
  path: '/digests/new-digest',
  validateSearch: (search) => texts(search, 'tab'),
  component: lazyRouteComponent(() => chunk(import('./pages/digests/editor/page.tsx')), 'NewDigest'),
});

const digest = createRoute({
  getParentRoute: () => shell,
  path: '/digests/$id',
  component: lazyRouteComponent(() => chunk(import('./pages/digests/detail/page.tsx')), 'DigestPage'),
});

const editDigest = createRoute({
  getParentRoute: () => shell,
  path: '/digests/$id/edit',
  component: lazyRouteComponent(() => chunk(import('./pages/digests/editor/page.tsx')), 'EditDigest'),
});

const connect = createRoute({
  getParentRoute: () => shell,
  path: '/connect',
  validateSearch: (search) => texts(search, 'client'),
  component: lazyRouteComponent(() => chunk(import('./pages/connect/page.tsx')), 'Connect'),
});

const applications = createRoute({
  getParentRoute: () => shell,
  path: '/applications',
  component: lazyRouteComponent(() => chunk(import('./pages/applications/page.tsx')), 'Applications'),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyRouteComponent(() => chunk(import('./pages/account/page.tsx')), 'Account'),
});

const signOn = createRoute({
  getParentRoute: () => shell,
  path: '/single-sign-on',
  component: lazyRouteComponent(() => chunk(import('./pages/sign-on/page.tsx')), 'SignOn'),
});

const routeTree = root.addChildren([
  login,
  authorize,
  shell.addChildren([
    dashboards,
    newCard,
    editCard,
    metrics,
    newMetric,
    metric,
    editMetric,
    explain,
    segments,
    newSegment,
    editSegment,
    terms,
    annotations,
    gaps,
    alerts,
    newAlert,
    alert,
    editAlert,
    digests,
    newDigest,
    digest,
    editDigest,
    events,
    queryEvents,
    aggregateEvents,
    cases,
    connect,
    applications,
    account,
    signOn,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: basePath,
  scrollRestoration: true,
  // The address bar stays readable: no JSON quotes around texts.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
