import { Link } from '@tanstack/react-router';
import { Time } from '../ui/time.tsx';
import { type FeedEvent, shortProperties } from './event.ts';

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
                className="feed-link"
                to="."
                search={(before) => ({ ...before, event: id, eventName })}
                resetScroll={false}
                preload={false}
              >
                {eventName}
              </Link>
              {threadId !== null && <span className="small muted">thread {threadId}</span>}
            </div>
            <p className="small muted feed-properties">{shortProperties(properties)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
