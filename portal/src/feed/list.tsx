import { Link } from '@tanstack/react-router';
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
              {threadId !== null && <span className="small muted">thread {threadId}</span>}
            </div>
            <p className="small muted clamped">{shortProperties(properties)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}

interface CountOfRowsProps {
  noun: 'event' | 'key';
  total: number;
  number: number;
}

/** "120 events · page 2 of 3 · times in Europe/Berlin" */
export function CountOfRows({ noun, total, number }: CountOfRowsProps) {
  return (
    <p className="small muted">
      {total.toLocaleString()} {total === 1 ? noun : `${noun}s`}
      {total > PAGE_SIZE && ` · page ${number} of ${lastPage(total)}`}
      {noun === 'event' && ` · times in ${ZONE}`}
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
          Newer
        </ButtonLink>
      )}
      {number < last && (
        <ButtonLink to="." search={(before) => ({ ...before, ...search(number + 1) })}>
          Older
        </ButtonLink>
      )}
    </nav>
  );
}
