import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, basePath } from '../api/client.ts';
import { CARDS, TABS } from '../api/dashboards.ts';
import { metricsQuery } from '../api/metrics.ts';
import { useSession } from '../api/session.ts';
import { type Command, CommandList } from '../ui/command-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { chooseTheme } from '../ui/theme.ts';
import { useAgent } from './remembered.ts';
import { useLogout } from './use-logout.ts';

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
    command('Page', 'Dashboards', () => navigate({ to: '/' })),
    ...(can('dashboards:write') ? [command('Page', 'New card', () => navigate({ to: '/cards/new' }))] : []),
    command('Page', 'Metrics', () => navigate({ to: '/metrics' })),
    ...(can('metrics:write') ? [command('Page', 'New metric', () => navigate({ to: '/metrics/new-metric' }))] : []),
    command('Page', 'Explain a change', () => navigate({ to: '/explain' })),
    command('Page', 'Segments', () => navigate({ to: '/segments' })),
    ...(can('metrics:write') ? [command('Page', 'New segment', () => navigate({ to: '/segments/new-segment' }))] : []),
    command('Page', 'Glossary', () => navigate({ to: '/terms' })),
    command('Page', 'Annotations', () => navigate({ to: '/annotations' })),
    command('Page', 'Gaps: what agents could not answer', () => navigate({ to: '/gaps' })),
    command('Page', 'Alerts', () => navigate({ to: '/alerts' })),
    ...(can('alerts:write')
      ? [
          command('Page', 'New alert', () => navigate({ to: '/alerts/new-alert' })),
          command('Page', 'New digest', () => navigate({ to: '/digests/new-digest' })),
        ]
      : []),
    command('Page', 'Digests', () => navigate({ to: '/digests' })),
    command('Page', 'Events', () => navigate({ to: '/events' })),
    command('Page', 'Table of events', () => navigate({ to: '/events/query' })),
    command('Page', 'KPI of events', () => navigate({ to: '/events/aggregate' })),
    command('Page', 'Connect an MCP client', () => navigate({ to: '/connect' })),
    command('Page', 'Your account', () => navigate({ to: '/account' })),
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
