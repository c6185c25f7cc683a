import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, basePath } from '../api/client.ts';
import { CARDS, TABS } from '../api/dashboards.ts';
import { metricsQuery } from '../api/metrics.ts';
import { useSession } from '../api/session.ts';
import { type Command, CommandList } from '../ui/command-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAgent } from './remembered.ts';
import { chooseTheme } from './theme.ts';
import { useLogout } from './use-logout.ts';

/** The pages by the names that people search for, with the right that each needs. */
const PAGES = [
  ['Dashboards', '/'],
  ['New card', '/cards/new', 'dashboards:write'],
  ['Metrics', '/metrics'],
  ['New metric', '/metrics/new-metric', 'metrics:write'],
  ['Explain a change', '/explain'],
  ['Segments', '/segments'],
  ['New segment', '/segments/new-segment', 'metrics:write'],
  ['Glossary', '/terms'],
  ['Annotations', '/annotations'],
  ['Gaps: what agents could not answer', '/gaps'],
  ['Alerts', '/alerts'],
  ['New alert', '/alerts/new-alert', 'alerts:write'],
  ['New digest', '/digests/new-digest', 'alerts:write'],
  ['Digests', '/digests'],
  ['Events', '/events'],
  ['Table of events', '/events/query'],
  ['KPI of events', '/events/aggregate'],
  ['Connect an MCP client', '/connect'],
  ['Your account', '/account'],
] as const;

/** Links to pages, dashboards, cards and metrics, and actions that every page has. */
export default function Palette({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { can, isAdministrator } = useSession();
  const logout = useLogout();
  const params = { params: { query: { agentId: useAgent() } } };
  const tabs = api.useQuery('get', TABS, params);
  const cards = api.useQuery('get', CARDS, params);
  const metrics = useQuery(metricsQuery());
  const command = (kind: string, label: string, run: () => unknown, id = label): Command => ({
    label,
    kind,
    id: `${kind} ${id}`,
    run: () => {
      onClose();
      void run();
    },
  });
  const commands = [
    ...PAGES.filter(([, , right]) => right === undefined || can(right)).map(([label, to]) =>
      command('Page', label, () => navigate({ to })),
    ),
    ...(isAdministrator ? [command('Page', 'Single sign-on', () => navigate({ to: '/single-sign-on' }))] : []),
    command('Page', 'API reference', () => window.location.assign(`${basePath}docs`)),
    ...(tabs.data?.tabs ?? []).map(({ id, name }) =>
      command('Dashboard', name, () => navigate({ to: '/', search: { tab: id } }), id),
    ),
    ...(cards.data?.cards ?? []).map(({ id, title }) =>
      command('Card', title, () => navigate({ to: '/cards/$id', params: { id } }), id),
    ),
    ...(metrics.data?.metrics ?? []).map(({ name, title }) =>
      command('Metric', title, () => navigate({ to: '/metrics/$name', params: { name } }), name),
    ),
    command('Action', 'Light theme', () => chooseTheme('light')),
    command('Action', 'Dark theme', () => chooseTheme('dark')),
    command('Action', 'System theme', () => chooseTheme('system')),
    command('Action', 'Log out', () => logout.mutate({})),
  ];
  return (
    <Dialog open onClose={onClose} title="Go to">
      <CommandList label="Page, card, metric or action" commands={commands} />
    </Dialog>
  );
}
