import { Link } from '@tanstack/react-router';
import { Time } from '../../../ui/time.tsx';
import { type FeedEvent, shortProperties } from './state.ts';

export function FeedList({ events }: { events: readonly FeedEvent[] }) {
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
                from="/events"
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
