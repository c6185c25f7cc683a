import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../api/client.ts';
import { CHANGES, changesQuery } from '../../api/dashboards.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Badge, Item, Rows } from '../../ui/item-list.tsx';
import { useTask } from '../../ui/refusal.tsx';
import { ErrorNotice, QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useChanges } from './changes.ts';
import { makerOf } from './state.ts';

type Change = Schemas['DashboardChange'];

const PAGE = 100;

/** The changes that agents made to cards and tabs, newest first, each with its undo. */
export default function AgentChanges({ agent, onClose }: { agent: string | undefined; onClose(): void }) {
  const [limit, setLimit] = useState(PAGE);
  const query = useQuery(changesQuery({ agentId: agent, limit }));
  const { data } = query;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Changes by agents')}
      description={t('What agents made, changed and deleted over MCP in the last 30 days.')}
      place="side"
    >
      <QueryState query={query} height={240} />
      <Rows
        label={t('Changes by agents')}
        rows={data?.changes}
        none={t('No agent has changed a dashboard')}
        next={<p>{t('Agents may with a key that has the scope dashboards:write.')}</p>}
      >
        {(change) => <ChangeItem key={change.id} change={change} />}
      </Rows>
      {data && data.total > data.changes.length && (
        <Button onClick={() => setLimit((before) => before + PAGE)}>{t('Show older')}</Button>
      )}
      <div className="dialog-foot">
        <Button onClick={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

const DONE = {
  created: { card: t('Created card'), tab: t('Created tab') },
  changed: { card: t('Changed card'), tab: t('Changed tab') },
  deleted: { card: t('Deleted card'), tab: t('Deleted tab') },
};

function ChangeItem({ change }: { change: Change }) {
  const { title, kind, action, intent } = change;
  return (
    <Item
      title={title}
      beside={<Badge tone={action === 'deleted' ? 'bad' : 'muted'}>{DONE[action][kind]}</Badge>}
      end={<Undo change={change} />}
    >
      {intent && <p dir="auto">“{intent}”</p>}
      <p className="muted small">{madeBy(change)}</p>
    </Item>
  );
}

function madeBy(change: Change): ReactNode {
  const { at, state, undoneBy } = change;
  const made = { time: <Time iso={at} />, maker: makerOf(change) };
  if (state === 'superseded') return t.nodes('{time} by {maker}, changed or deleted again since', made);
  if (state === 'undone') return t.nodes('{time} by {maker}, undone by {user}', { ...made, user: undoneBy });
  return t.nodes('{time} by {maker}', made);
}

const UNDO: Record<Change['action'], Record<Change['kind'], (title: string) => string>> = {
  created: {
    card: (title) => t('Undo: created card {title}', { title }),
    tab: (title) => t('Undo: created tab {title}', { title }),
  },
  changed: {
    card: (title) => t('Undo: changed card {title}', { title }),
    tab: (title) => t('Undo: changed tab {title}', { title }),
  },
  deleted: {
    card: (title) => t('Undo: deleted card {title}', { title }),
    tab: (title) => t('Undo: deleted tab {title}', { title }),
  },
};

function Undo({ change: { id, state, kind, title, action } }: { change: Change }) {
  const { can } = useSession();
  const { refetch } = useChanges();
  const { error, isBusy, run } = useTask();
  const button = useRef<HTMLButtonElement>(null);
  if (state !== 'current' || !can('dashboards:write')) return null;
  const undo = async () => {
    const dialog = button.current?.closest<HTMLElement>('[role="dialog"]');
    await answerOf(client.POST(`${CHANGES}/{id}/undo`, { params: { path: { id } } }));
    await refetch();
    // The button is gone.
    dialog?.focus();
  };
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <Button ref={button} aria-label={UNDO[action][kind](title)} disabled={isBusy} onClick={() => void run(undo)}>
        {t('Undo')}
      </Button>
    </>
  );
}
