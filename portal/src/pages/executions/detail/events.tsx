import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { EventList } from '../../../feed/list.tsx';
import { OpenedEvent } from '../../../feed/opened-event.tsx';
import { t } from '../../../language/index.ts';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import type { Execution } from '../executions.ts';

const SHOWN = 20;

/** The newest events of the thread, or of the execution where it belongs to none. */
export function EventsBeside({ execution: { id, threadId } }: { execution: Execution }) {
  const { can } = useSession();
  const of = threadId === null ? { executionId: id } : { threadId };
  const query = api.useQuery(
    'get',
    '/api/v1/runtime/v1/observability/events/feed',
    { params: { query: { ...of, limit: SHOWN } } },
    { enabled: can('events:read') },
  );
  if (!can('events:read')) return null;
  const { data } = query;
  return (
    <Section
      id="events"
      title={threadId === null ? t('Events of the execution') : t('Events of the thread')}
      className="panel stack tight beside"
    >
      <QueryState query={query} />
      {data?.total === 0 && <p className="small muted">{t('There are none.')}</p>}
      {data && data.total > SHOWN && (
        <p className="small muted">{t('The newest {count} of {total}', { count: SHOWN, total: data.total })}</p>
      )}
      {data && data.events.length > 0 && <EventList events={data.events} />}
      <OpenedEvent events={data?.events ?? []} />
    </Section>
  );
}
