import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { chunk } from '../../shell/missing-chunk.ts';
import { firstHourQuery, isComplete, isOver, rememberOver } from './progress.ts';

const Checklist = lazy(async () => ({ default: (await chunk(import('./checklist.tsx'))).Checklist }));

interface FirstHourProps {
  /** There is no card yet: the checklist stands alone. */
  isEmpty: boolean;
  /** Stands until it is known whether there is a checklist, so that nothing moves. */
  skeleton: ReactNode;
  children: ReactNode;
}

/** The checklist of the first hour above the dashboards, until it is complete or put away. `?first-hour=open` shows it. */
export function FirstHour({ isEmpty, skeleton, children }: FirstHourProps) {
  const { full, 'first-hour': wanted } = useSearch({ from: '/shell/' });
  const { user } = useSession();
  const isWanted = wanted !== undefined;
  const [isAsked] = useState(() => !isOver(user.id));
  const progress = useQuery({ ...firstHourQuery, enabled: isWanted || (isAsked && full === undefined) });
  const [isOpen, setOpen] = useState(false);
  const { data } = progress;
  const isDue = data !== undefined && (isWanted || !(data.putAway || isComplete(data)));
  if (isDue && !isOpen) setOpen(true);
  const isDone = data !== undefined && !isDue;
  useEffect(() => {
    if (isDone) rememberOver(user.id, true);
  }, [isDone, user.id]);

  if (progress.isLoading) return skeleton;
  if (!isOpen || full !== undefined) return children;
  return (
    <Suspense fallback={skeleton}>
      <div className="stack">
        <Checklist onClose={() => setOpen(false)} />
        {!isEmpty && <div>{children}</div>}
      </div>
    </Suspense>
  );
}
