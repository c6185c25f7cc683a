import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useHasNoEvents } from '../../api/events.ts';
import { useAgent } from '../../shell/remembered.ts';

/** The next step while nothing is asked: without any event, those of the first hour. */
export function HowToBegin({ children }: { children: ReactNode }) {
  const isEmpty = useHasNoEvents(useAgent());
  if (!isEmpty) return children;
  return (
    <>
      There are no events yet.{' '}
      <Link to="/" search={{ 'first-hour': 'open' }}>
        Send the first one
      </Link>
    </>
  );
}
