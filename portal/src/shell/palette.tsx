import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, basePath } from '../api/client.ts';
import { CARDS, TABS } from '../api/dashboards.ts';
import { metricsQuery } from '../api/metrics.ts';
import { useSession } from '../api/session.ts';
import { CHAPTERS, type Chapter } from '../help/chapters.ts';
import { t } from '../language/index.ts';
import { ALERTS } from '../pages/alerts/alerts.ts';
import { STORES } from '../pages/knowledge/knowledge.ts';
import { type Command, CommandList } from '../ui/command-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { OTHER_PAGES, PAGE_GROUPS } from './pages.ts';
import { useAgent } from './remembered.ts';
import { chooseTheme } from './theme.ts';

/** Links to pages, dashboards, cards, metrics, alerts and vector stores, and actions that every page has. */
export default function Palette({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { can } = useSession();
  const params = { params: { query: { agentId: useAgent() } } };
  const tabs = api.useQuery('get', TABS, params);
  const cards = api.useQuery('get', CARDS, params);
  const metrics = useQuery(metricsQuery());
  const stores = api.useQuery('get', STORES, { params: { query: { limit: 100 } } }, { enabled: can('knowledge:read') });
  const alerts = api.useQuery('get', ALERTS, { params: { query: { limit: 100 } } });
  const command = (kind: string, label: string, run: () => unknown, id = label, words = ''): Command => ({
    label,
    kind,
    words,
    id: `${kind} ${id}`,
    run: () => {
      onClose();
      void run();
    },
  });
  const commands = [
    ...PAGE_GROUPS.flatMap((group) =>
      group.pages.map(({ to, label, words }) =>
        command(group.label, label, () => navigate({ to }), to, `${t('Page')} ${words ?? ''}`),
      ),
    ),
    ...OTHER_PAGES.filter(({ right }) => right === undefined || can(right)).map(({ to, label, words }) =>
      command(t('Page'), label, () => navigate({ to }), to, words),
    ),
    command(t('Help'), t('First hour'), () => navigate({ to: '/', search: { 'first-hour': 'open' } })),
    ...(Object.keys(CHAPTERS) as Chapter[]).map((chapter) =>
      command(t('Help'), CHAPTERS[chapter], () => navigate({ to: '/help/$chapter', params: { chapter } }), chapter),
    ),
    command(t('Help'), t('API reference'), () => window.location.assign(`${basePath}docs`)),
    ...(tabs.data?.tabs ?? []).map(({ id, name }) =>
      command(t('Dashboard'), name, () => navigate({ to: '/', search: { tab: id } }), id),
    ),
    ...(cards.data?.cards ?? []).map(({ id, title }) =>
      command(t('Card'), title, () => navigate({ to: '/cards/$id', params: { id } }), id),
    ),
    ...(metrics.data?.metrics ?? []).map(({ name, title }) =>
      command(t('Metric'), title, () => navigate({ to: '/metrics/$name', params: { name } }), name),
    ),
    ...(alerts.data?.alerts ?? []).map(({ id, title }) =>
      command(t('Alert'), title, () => navigate({ to: '/alerts/$id', params: { id } }), id),
    ),
    ...(stores.data?.stores ?? []).map(({ name }) =>
      command(t('Vector store'), name, () => navigate({ to: '/knowledge/$store', params: { store: name } })),
    ),
    command(t('Action'), t('Light theme'), () => chooseTheme('light')),
    command(t('Action'), t('Dark theme'), () => chooseTheme('dark')),
    command(t('Action'), t('System theme'), () => chooseTheme('system')),
    command(t('Action'), t('Log out'), () => navigate({ to: '/logout' })),
  ];
  return (
    <Dialog open onClose={onClose} title={t('Go to')}>
      <CommandList label={t('Page, card, metric, alert or action')} commands={commands} />
    </Dialog>
  );
}
