import type { Schemas } from '../api/schemas.ts';
import { t } from '../language/index.ts';
import { Badge, Item, ItemList } from '../ui/item-list.tsx';
import { Time, When } from '../ui/time.tsx';
import { type ScheduleForm, type ShownTarget, scheduleInWords, targetInWords } from './state.ts';

/** A schedule in words: "Daily at 8:00, Europe/Berlin". */
export function Schedule({ every, timezone }: ScheduleForm) {
  return (
    <span title={every}>
      {scheduleInWords(every) ?? <code>{every}</code>}, {timezone}
    </span>
  );
}

export function TargetList({ targets }: { targets: readonly ShownTarget[] }) {
  if (targets.length === 0) return t('Nobody: it has no targets');
  return (
    <ul>
      {targets.map((target, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shown forms of two Slack targets may be equal
        <li key={index}>{targetInWords(target)}</li>
      ))}
    </ul>
  );
}

export type Delivery = Schemas['Delivery'];

const STATES = {
  sent: { label: t('sent'), tone: 'good' },
  waiting: { label: t('waiting'), tone: 'warning' },
  dead: { label: t('given up'), tone: 'bad' },
} as const;

const WAITING_MS = 3_000;

/** Until a delivery that waits is asked for again; false: none waits. */
export function untilDelivered(deliveries: readonly Delivery[] | undefined): number | false {
  return deliveries?.some(({ state }) => state === 'waiting') === true && WAITING_MS;
}

/** Messages, newest first, each with how its delivery went. */
export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return <p className="muted">{t('No message was sent yet.')}</p>;
  return (
    <ItemList label={t('Messages')}>
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.id} delivery={delivery} />
      ))}
    </ItemList>
  );
}

function DeliveryItem({ delivery }: { delivery: Delivery }) {
  const { title, target, state, attempts, error, createdAt, nextAttemptAt } = delivery;
  const { label, tone } = STATES[state];
  return (
    <Item title={title} beside={<Badge tone={tone}>{label}</Badge>}>
      {error !== null && <p className="bad-text">{error}</p>}
      <p className="small muted">
        {t('To {target}', { target })} · <Time iso={createdAt} />
        {attempts > 1 && ` · ${t.count(attempts, '{count} attempt', '{count} attempts')}`}
        {state === 'waiting' && <When lead=" · " text="next attempt {time}" iso={nextAttemptAt} />}
      </p>
    </Item>
  );
}

/** To whom messages were sent just now. */
export function Sent({ deliveries }: { deliveries: readonly { id: string; target: string }[] }) {
  if (deliveries.length === 0) return <p>{t('It has no targets: nobody was sent a message.')}</p>;
  return (
    <>
      <p>{t('A message is on its way to:')}</p>
      <ul className="bullets">
        {deliveries.map(({ id, target }) => (
          <li key={id}>{target}</li>
        ))}
      </ul>
      <p className="small muted">{t('Below “Messages” you see how each delivery went.')}</p>
    </>
  );
}
