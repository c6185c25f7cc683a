import { Link } from '@tanstack/react-router';
import { t } from '../language/index.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Time, ZONE } from '../ui/time.tsx';
import { type FeedEvent, lastPage, PAGE_SIZE, shortProperties } from './state.ts';

/** The events of a page, newest first. A press on one puts it into the address. */
export function EventList({ events }: { events: readonly FeedEvent[] }) {
  return (
    <ol className="feed">
      {events.map(({ id, eventName, threadId, timestamp, properties }) => (
        <li key={id}>
          <Time iso={timestamp} />
          <div className="feed-event">
            <div className="row">
              {/* It covers the row: a press anywhere opens the event. */}
              <Link
                className="item-link feed-link"
                to="."
                search={(before) => ({ ...before, event: id, eventName })}
                resetScroll={false}
                preload={false}
              >
                {eventName}
              </Link>
              {threadId !== null && <span className="small muted">{t('thread {threadId}', { threadId })}</span>}
            </div>
            <p className="small muted clamped">{shortProperties(properties)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const COUNTS = {
  event: (count: number) => t.count(count, '{count} event', '{count} events'),
  key: (count: number) => t.count(count, '{count} key', '{count} keys'),
};

interface CountOfRowsProps {
  noun: keyof typeof COUNTS;
  total: number;
  number: number;
}

/** "120 events · page 2 of 3 · times in Europe/Berlin" */
export function CountOfRows({ noun, total, number }: CountOfRowsProps) {
  return (
    <p className="small muted">
      {COUNTS[noun](total)}
      {total > PAGE_SIZE && ` · ${t('page {number} of {last}', { number, last: lastPage(total) })}`}
      {noun === 'event' && ` · ${t('times in {zone}', { zone: ZONE })}`}
    </p>
  );
}

interface PagingProps {
  label: string;
  number: number;
  total: number;
  size?: number;
}

/** Links to the pages before and after. */
export function Paging({ label, number, total, size }: PagingProps) {
  const last = lastPage(total, size);
  if (last === 1 && number === 1) return null;
  const search = (page: number) => ({
    page: page === 1 ? undefined : String(page),
    event: undefined,
    eventName: undefined,
  });
  return (
    <nav className="row" aria-label={label}>
      {number > 1 && (
        <ButtonLink to="." search={(before) => ({ ...before, ...search(number - 1) })}>
          {t('Newer')}
        </ButtonLink>
      )}
      {number < last && (
        <ButtonLink to="." search={(before) => ({ ...before, ...search(number + 1) })}>
          {t('Older')}
        </ButtonLink>
      )}
    </nav>
  );
}
