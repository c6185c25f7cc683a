import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../api/client.ts';
import { CHANGES, changesQuery } from '../../api/dashboards.ts';
import { useSession } from '../../api/session.ts';
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
      title="Changes by agents"
      description="What agents made, changed and deleted over MCP in the last 30 days."
      place="side"
    >
      <QueryState query={query} height={240} />
      <Rows
        label="Changes by agents"
        rows={data?.changes}
        none="No agent has changed a dashboard"
        next={<p>Agents may with a key that has the scope dashboards:write.</p>}
      >
        {(change) => <ChangeItem key={change.id} change={change} />}
      </Rows>
      {data && data.total > data.changes.length && (
        <Button onClick={() => setLimit((before) => before + PAGE)}>Show older</Button>
      )}
      <div className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

const ACTIONS = { created: 'Created', changed: 'Changed', deleted: 'Deleted' } as const;

function ChangeItem({ change }: { change: Change }) {
  const { title, kind, action, at, intent, state, undoneBy } = change;
  return (
    <Item
      title={title}
      beside={
        <Badge tone={action === 'deleted' ? 'bad' : 'muted'}>
          {ACTIONS[action]} {kind}
        </Badge>
      }
      end={<Undo change={change} />}
    >
      {intent && <p dir="auto">“{intent}”</p>}
      <p className="muted small">
        <Time iso={at} /> by {makerOf(change)}
        {state === 'superseded' && ', changed or deleted again since'}
        {state === 'undone' && `, undone by ${undoneBy}`}
      </p>
    </Item>
  );
}

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
      <Button
        ref={button}
        aria-label={`Undo: ${action} ${kind} ${title}`}
        disabled={isBusy}
        onClick={() => void run(undo)}
      >
        Undo
      </Button>
    </>
  );
}
