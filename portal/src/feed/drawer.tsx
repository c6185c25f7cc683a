import { Link } from '@tanstack/react-router';
import { QUERY_EVENTS } from '../api/answers.ts';
import { api } from '../api/client.ts';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { ErrorNotice, Loading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useSetSearch } from '../ui/use-set-search.ts';
import { eventOfRow, type FeedEvent, propertyRows, relatedQuestion } from './state.ts';

interface EventDrawerProps {
  id: string;
  /** The event's name: finds an event that is on another page. */
  name: string | undefined;
  agent: string | undefined;
  known: FeedEvent | undefined;
}

export function EventDrawer({ id, name, agent, known }: EventDrawerProps) {
  const setSearch = useSetSearch();
  const close = () => setSearch({ event: undefined, eventName: undefined }, { replace: true, resetScroll: false });
  return (
    <Dialog open onClose={close} title={known?.eventName ?? name ?? t('Event')} place="side">
      {known ? <Details event={known} /> : <Found id={id} name={name} agent={agent} />}
      <div className="dialog-foot">
        <Button onClick={close}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}

/** The event of the address, when it is not on the shown page of the feed. */
function Found({ id, name, agent }: Omit<EventDrawerProps, 'known'>) {
  const filters = [{ propertyKey: 'id', operator: 'eq' as const, value: id }];
  const { data, error, isError, isPending, refetch } = api.useQuery(
    'post',
    QUERY_EVENTS,
    { body: { eventName: name ?? '', agentId: agent ?? '*', filters, limit: 1 } },
    { enabled: name !== undefined },
  );
  if (isError) return <ErrorNotice error={error} onRetry={refetch} />;
  if (name !== undefined && isPending) return <Loading />;
  const [row] = data?.rows ?? [];
  if (name === undefined || row === undefined)
    return <p>{t('This page has no event {id}. It may have been deleted.', { id: JSON.stringify(id) })}</p>;
  return <Details event={eventOfRow(name, row)} />;
}

function Details({ event }: { event: FeedEvent }) {
  const { id, eventName, threadId, executionId, timestamp, properties } = event;
  const rows = propertyRows(properties);
  return (
    <>
      <Facts
        label={t('Event')}
        facts={{
          [t('Time')]: (
            <>
              <Time iso={timestamp} /> <span className="small muted">{timestamp}</span>
            </>
          ),
          [t('Id')]: id,
          [t('Thread')]:
            threadId === null ? t('None|a thread') : <Related {...{ eventName, of: 'threadId', value: threadId }} />,
          [t('Execution')]:
            executionId === null ? (
              t('None|an execution')
            ) : (
              <Related {...{ eventName, of: 'executionId', value: executionId }} />
            ),
        }}
      />
      <h3>{t('Properties')}</h3>
      {rows.length === 0 ? <p className="muted">{t('It has none.')}</p> : <Properties rows={rows} />}
      <h3>JSON</h3>
      <CodeBlock text={JSON.stringify(event, null, 2)} label={t('The event as JSON')} />
    </>
  );
}

function Related({ eventName, of, value }: { eventName: string; of: 'threadId' | 'executionId'; value: string }) {
  return (
    <div className="stack tight">
      {of === 'threadId' ? (
        <Link to="/threads/$id" params={{ id: value }}>
          {value}
        </Link>
      ) : (
        <Link to="/executions/$id" params={{ id: value }}>
          {value}
        </Link>
      )}
      <Link to="/explore" search={{ view: 'table', question: relatedQuestion(eventName, of, value) }}>
        {of === 'threadId'
          ? t('Events "{eventName}" of this thread', { eventName })
          : t('Events "{eventName}" of this execution', { eventName })}
      </Link>
    </div>
  );
}

function Properties({ rows }: { rows: ReturnType<typeof propertyRows> }) {
  return (
    <Table label={t('Properties')} columns={[t('Key|of a property'), t('Value')]}>
      {rows.map(({ key, value }) => (
        <tr key={key}>
          <th scope="row">{key}</th>
          <td>{value}</td>
        </tr>
      ))}
    </Table>
  );
}
