import { useSearch } from '@tanstack/react-router';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import type { FeedEvent } from './state.ts';

const EventDrawer = lazyDialog(async () => ({ default: (await import('./drawer.tsx')).EventDrawer }));

interface OpenedEventProps {
  /** The events of the page; another one is read. */
  events: readonly FeedEvent[];
  agent?: string | undefined;
}

/** The drawer of the event that the address names. */
export function OpenedEvent({ events, agent }: OpenedEventProps) {
  const { event, eventName } = useSearch({ strict: false });
  if (event === undefined) return null;
  const known = events.find(({ id }) => id === event);
  return <EventDrawer key={event} id={event} name={eventName} agent={agent} known={known} />;
}
