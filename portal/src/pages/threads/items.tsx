import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/schemas.ts';
import { shortProperties } from '../../feed/state.ts';
import { t } from '../../language/index.ts';
import { Conversation } from '../../transcript/conversation/conversation.tsx';
import { LongText } from '../../transcript/long-text.tsx';
import { Value } from '../../transcript/value.tsx';
import { Folded } from '../../ui/folded.tsx';
import { Badge } from '../../ui/item-list.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { saysMore } from '../executions/detail/state.ts';
import { EXECUTION, type ExecutionRow } from '../executions/executions.ts';
import { RatingBadge, States } from '../executions/list/rows.tsx';
import { figuresOf } from '../executions/words.ts';

/** An execution, an event or a review of a thread. */
export function ThreadItem({ item }: { item: Schemas['ThreadItem'] }) {
  return (
    <li className="item">
      <div className="item-text">
        {item.type === 'execution' && <ExecutionOf row={item.execution} at={item.at} />}
        {item.type === 'event' && <EventOf event={item.event} />}
        {item.type === 'review' && <ReviewOf review={item.review} />}
      </div>
    </li>
  );
}

function ExecutionOf({ row, at }: { row: ExecutionRow; at: string }) {
  const { id, name, agentId, userId, model } = row;
  const { cost, tokens, latency } = figuresOf(row);
  const facts = [agentId, userId, model, cost, tokens, latency].filter((fact) => fact !== null);
  return (
    <>
      <div className="row item-head">
        <Badge>{t('Execution')}</Badge>
        <Link className="item-title" to="/executions/$id" params={{ id }} preload={false}>
          <bdi>{name ?? id}</bdi>
        </Link>
        <States row={row} />
      </div>
      <p className="small muted">
        <Time iso={at} /> · <bdi>{facts.join(' · ')}</bdi>
      </p>
      <Folded summary={t('What was said')}>{() => <Said executionId={id} />}</Folded>
    </>
  );
}

/** The conversation and the output of an execution. */
function Said({ executionId }: { executionId: string }) {
  const query = api.useQuery('get', EXECUTION, { params: { path: { executionId } } });
  const { data } = query;
  if (!data) return <QueryState query={query} />;
  const { messages, output } = data;
  return (
    <div className="stack">
      {messages.length > 0 && (
        <Conversation messages={messages} label={t('Conversation of {executionId}', { executionId })} />
      )}
      {saysMore(data) && <Value value={output} label={t('Output of {name}', { name: executionId })} />}
      {messages.length === 0 && !saysMore(data) && <p className="muted">{t('Nothing was recorded.')}</p>}
    </div>
  );
}

function EventOf({ event: { id, eventName, timestamp, properties } }: { event: Schemas['Event'] }) {
  const said = shortProperties(properties);
  return (
    <>
      <div className="row item-head">
        <Badge tone="muted">{t('Event')}</Badge>
        <Link
          className="item-title"
          to="."
          search={(before) => ({ ...before, event: id, eventName })}
          resetScroll={false}
          preload={false}
        >
          <bdi>{eventName}</bdi>
        </Link>
      </div>
      <p className="small muted clamped">
        <Time iso={timestamp} />
        {said !== '' && (
          <>
            {' · '}
            <bdi>{said}</bdi>
          </>
        )}
      </p>
    </>
  );
}

function ReviewOf({ review: { executionId, rating, comment, reviewedBy, createdAt } }: { review: Schemas['Review'] }) {
  return (
    <>
      <div className="row item-head">
        <Badge tone="muted">{t('Review')}</Badge>
        <RatingBadge rating={rating} />
        <Link to="/executions/$id" params={{ id: executionId }} preload={false}>
          <bdi>{executionId}</bdi>
        </Link>
      </div>
      <p className="small muted">
        {t.nodes('{time} by {who}', { time: <Time iso={createdAt} />, who: <bdi>{reviewedBy}</bdi> })}
      </p>
      <LongText text={comment} />
    </>
  );
}
