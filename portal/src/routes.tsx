import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { basePath } from './api/client.ts';
import { statusOf } from './api/errors.ts';
import { queryClient, sessionQuery } from './api/session.ts';
import { t } from './language/index.ts';
import { followSetting } from './language/setting.ts';
import { LIST_SEARCH } from './pages/executions/list/state.ts';
import { lastErased } from './pages/settings/data/erased.ts';
import { Alone } from './shell/alone.tsx';
import { logOut } from './shell/log-out.ts';
import { chunk } from './shell/missing-chunk.ts';
import { movedAddress } from './shell/moved.ts';
import { lastAgent } from './shell/remembered.ts';
import { PendingShell, Shell } from './shell/shell.tsx';
import { PageHead } from './ui/page-head.tsx';
import { ErrorNotice } from './ui/states.tsx';

/** Search parameters come from the address bar: objects and empty values are left out. */
function texts<Name extends string>(search: Record<string, unknown>, ...names: Name[]): { [Key in Name]?: string } {
  const given = names.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === '' || typeof value === 'object' ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(given) as { [Key in Name]?: string };
}

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchAddress, errorComponent: ErrorAlone });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search) => texts(search, 'to', 'tenant', 'refused', 'ended'),
  component: lazyRouteComponent(() => chunk(import('./pages/login/page.tsx')), 'Login'),
});

/** Without a login: the person becomes a user here. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => chunk(import('./pages/invitation/page.tsx')), 'Invitation'),
});

/** The login page, with the address to return to. With `hasEnded` it says that the session has ended. */
export function loginFrom(href: string, hasEnded = false) {
  const search = { ...(href !== '/' && { to: href }), ...(hasEnded && { ended: 'true' }) };
  return { to: '/login' as const, search };
}

/**
 * An address, so that a form with unsaved changes asks before the session ends. Only a page of the portal leads to it: a
 * link from elsewhere ends no session.
 */
const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  validateSearch: (search) => texts(search, 'to'),
  beforeLoad: ({ search, location }) => {
    if (location.state.__TSR_index === 0) throw redirect({ to: '/' });
    return logOut(search.to);
  },
});

/** Sends people who are not logged in to the login page. */
async function requireLogin(href: string): Promise<void> {
  try {
    const { user } = await queryClient.ensureQueryData(sessionQuery);
    followSetting(user.language);
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
});

/** Without the shell: nobody is logged in any more. */
const erased = createRoute({
  getParentRoute: () => root,
  path: '/erased',
  beforeLoad: () => {
    if (lastErased() === null) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => chunk(import('./pages/settings/data/erased-page.tsx')), 'Erased'),
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
});

/** A page of the shell. It is loaded when it opens first; `search` are the parameters that it takes. */
function page<
  const Path extends `/${string}`,
  Module extends Record<Name, ComponentType>,
  const Name extends keyof Module & string,
  Search extends string = never,
>(path: Path, load: () => Promise<Module>, name: Name, ...search: Search[]) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    validateSearch: (given: Record<string, unknown>) => texts(given, ...search),
    component: lazyRouteComponent(() => chunk(load()), name),
    errorComponent: PageError,
  });
}

const EXPLORE_SEARCH = ['view', 'question', 'chart', 'page', 'event', 'eventName'] as const;
const QUOTAS_SEARCH = ['search', 'page', 'key', 'unit', 'days'] as const;
const AUDIT_SEARCH = ['actor', 'action', 'target', 'from', 'to', 'before', 'after', 'line', 'at'] as const;
const EXECUTION_SEARCH = ['list', 'event', 'eventName'] as const;
const REVIEWS_SEARCH = ['queue', 'status', 'rating', 'priority', 'search', 'match', 'from', 'to', 'page'] as const;
const TRAINING_SEARCH = ['format', 'rating', 'status', 'priority', 'tag', 'from', 'to'] as const;
const STORE_SEARCH = ['query', 'filter', 'search', 'state', 'page', 'document', 'passage'] as const;
const KEY_SEARCH = ['search', 'state', 'maker', 'leavers', 'page'] as const;

const CONNECTOR_SEARCH = ['view', 'search', 'resource', 'range', 'event', 'eventName'] as const;

const pages = [
  page('/', () => import('./pages/dashboards/page.tsx'), 'Dashboards', 'tab', 'from', 'to', 'full', 'first-hour'),
  page('/cards/new', () => import('./pages/cards/page.tsx'), 'NewCard', 'tab', 'copy', 'config'),
  page('/cards/$id', () => import('./pages/cards/page.tsx'), 'EditCard'),
  page('/explore', () => import('./pages/explore/page.tsx'), 'Explore', ...EXPLORE_SEARCH),
  page('/cases/$handle', () => import('./pages/cases/page.tsx'), 'Cases', 'page', 'event', 'eventName'),
  page('/metrics', () => import('./pages/metrics/list/page.tsx'), 'Metrics', 'search', 'show'),
  // No metric has this name: names have no hyphen.
  page('/metrics/new-metric', () => import('./pages/metrics/editor/page.tsx'), 'NewMetric', 'question'),
  page('/metrics/$name', () => import('./pages/metrics/detail/page.tsx'), 'MetricPage', 'from', 'to'),
  page('/metrics/$name/edit', () => import('./pages/metrics/editor/page.tsx'), 'EditMetric'),
  page('/explain', () => import('./pages/explain/page.tsx'), 'Explain', 'question'),
  page('/segments', () => import('./pages/segments/page.tsx'), 'Segments', 'search'),
  // No segment has this name: names have no hyphen.
  page('/segments/new-segment', () => import('./pages/segments/editor/page.tsx'), 'NewSegment'),
  page('/segments/$name/edit', () => import('./pages/segments/editor/page.tsx'), 'EditSegment'),
  page('/annotations', () => import('./pages/annotations/page.tsx'), 'Annotations'),
  page('/chat', () => import('./pages/chat/page.tsx'), 'Chat'),
  page('/executions', () => import('./pages/executions/list/page.tsx'), 'Executions', ...LIST_SEARCH),
  page('/executions/$id', () => import('./pages/executions/detail/page.tsx'), 'ExecutionPage', ...EXECUTION_SEARCH),
  page('/threads/$id', () => import('./pages/threads/page.tsx'), 'ThreadPage', 'event', 'eventName'),
  page('/gaps', () => import('./pages/gaps/page.tsx'), 'Gaps'),
  page('/reviews', () => import('./pages/reviews/page.tsx'), 'Reviews', ...REVIEWS_SEARCH),
  page(
    '/reviews/statistics',
    () => import('./pages/reviews/statistics/page.tsx'),
    'ReviewStatistics',
    'outcome',
    'rubric',
  ),
  page('/training', () => import('./pages/training/page.tsx'), 'Training', ...TRAINING_SEARCH),
  page('/knowledge', () => import('./pages/knowledge/list/page.tsx'), 'Knowledge', 'page'),
  page('/knowledge/$store', () => import('./pages/knowledge/store/page.tsx'), 'KnowledgeStore', ...STORE_SEARCH),
  page('/alerts', () => import('./pages/alerts/list/page.tsx'), 'Alerts', 'state'),
  // No alert has this id: ids are UUIDs.
  page('/alerts/new-alert', () => import('./pages/alerts/editor/page.tsx'), 'NewAlert', 'cardId', 'metric'),
  page('/alerts/$id', () => import('./pages/alerts/detail/page.tsx'), 'AlertPage'),
  page('/alerts/$id/edit', () => import('./pages/alerts/editor/page.tsx'), 'EditAlert'),
  page('/digests', () => import('./pages/digests/list/page.tsx'), 'Digests'),
  // No digest has this id: ids are UUIDs.
  page('/digests/new-digest', () => import('./pages/digests/editor/page.tsx'), 'NewDigest', 'tab'),
  page('/digests/$id', () => import('./pages/digests/detail/page.tsx'), 'DigestPage'),
  page('/digests/$id/edit', () => import('./pages/digests/editor/page.tsx'), 'EditDigest'),
  page('/connect', () => import('./pages/connect/page.tsx'), 'Connect', 'client'),
  page('/applications', () => import('./pages/applications/page.tsx'), 'Applications'),
  page('/connectors', () => import('./pages/connectors/list/page.tsx'), 'Connectors', 'search'),
  // No connector has these slugs: slugs have no underscore.
  page('/connectors/new_connector', () => import('./pages/connectors/editor/page.tsx'), 'NewConnector'),
  page('/connectors/import_openapi', () => import('./pages/connectors/import/page.tsx'), 'ImportConnector'),
  page('/connectors/$slug', () => import('./pages/connectors/detail/page.tsx'), 'ConnectorPage', ...CONNECTOR_SEARCH),
  page('/connectors/$slug/edit', () => import('./pages/connectors/editor/page.tsx'), 'EditConnector'),
  page('/connectors/$slug/import', () => import('./pages/connectors/import/page.tsx'), 'ImportAgain'),
  page('/settings/users', () => import('./pages/settings/users/page.tsx'), 'Users', 'search', 'role', 'state', 'page'),
  page('/settings/users/$id', () => import('./pages/settings/users/user-page.tsx'), 'UserPage'),
  page('/settings/security', () => import('./pages/settings/security/page.tsx'), 'Security', 'search', 'page'),
  page('/help', () => import('./pages/help/page.tsx'), 'Help'),
  page('/help/$chapter', () => import('./pages/help/page.tsx'), 'HelpChapter'),
  page('/account', () => import('./pages/account/page.tsx'), 'Account'),
  page('/settings/sign-on', () => import('./pages/settings/sign-on/page.tsx'), 'SignOn'),
  page('/settings/providers', () => import('./pages/settings/providers/page.tsx'), 'Providers', 'search'),
  page('/settings/keys', () => import('./pages/settings/keys/page.tsx'), 'ApiKeys', ...KEY_SEARCH),
  page('/settings/credentials', () => import('./pages/settings/credentials/page.tsx'), 'Credentials', 'search', 'page'),
  page('/settings/quotas', () => import('./pages/settings/quotas/page.tsx'), 'Quotas', ...QUOTAS_SEARCH),
  page('/settings/audit', () => import('./pages/settings/audit/page.tsx'), 'Audit', ...AUDIT_SEARCH),
  page('/settings/data', () => import('./pages/settings/data/page.tsx'), 'DataSettings'),
  page('/settings/system', () => import('./pages/settings/system/page.tsx'), 'SystemSettings'),
] as const;

const routeTree = root.addChildren([login, logout, invitation, authorize, erased, shell.addChildren(pages)]);

const moved = movedAddress(window.location.pathname.slice(basePath.length - 1), window.location.search);
if (moved !== null) window.history.replaceState(null, '', basePath + moved.slice(1));

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

/** The not-found page outside the shell. */
function NoSuchAddress() {
  return (
    <main>
      <NoPage />
    </main>
  );
}

function NoPage() {
  return (
    <div className="empty">
      <h1>{t('There is no such page')}</h1>
      <Link to="/">{t('Go to the dashboards')}</Link>
    </div>
  );
}

const CANNOT_BE_SHOWN = t('This page cannot be shown');

interface PageErrorProps {
  error: unknown;
}

/** Within the shell: other pages can be opened. */
function PageError({ error }: PageErrorProps) {
  return (
    <div className="stack">
      <PageHead title={CANNOT_BE_SHOWN} />
      <ErrorNotice error={error} onRetry={() => window.location.reload()} />
    </div>
  );
}

/** Without the shell, which needs a session. */
function ErrorAlone(props: PageErrorProps) {
  return (
    <Alone title={CANNOT_BE_SHOWN}>
      <PageError {...props} />
    </Alone>
  );
}
