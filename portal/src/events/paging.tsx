import { Link } from '@tanstack/react-router';
import { ZONE } from '../ui/time.tsx';
import { lastPage, PAGE_SIZE } from './pages.ts';

/** "120 events · page 2 of 3 · times in Europe/Berlin" */
export function CountOfEvents({ total, number }: { total: number; number: number }) {
  return (
    <p className="small muted">
      {total.toLocaleString()} {total === 1 ? 'event' : 'events'}
      {total > PAGE_SIZE && ` · page ${number} of ${lastPage(total)}`} · times in {ZONE}
    </p>
  );
}

/** Links to the pages before and after. */
export function Paging({ label, number, last }: { label: string; number: number; last: number }) {
  if (last === 1 && number === 1) return null;
  const search = (page: number) => ({
    page: page === 1 ? undefined : String(page),
    event: undefined,
    eventName: undefined,
  });
  return (
    <nav className="row" aria-label={label}>
      {number > 1 && (
        <Link className="button" to="." search={(before) => ({ ...before, ...search(number - 1) })}>
          Newer
        </Link>
      )}
      {number < last && (
        <Link className="button" to="." search={(before) => ({ ...before, ...search(number + 1) })}>
          Older
        </Link>
      )}
    </nav>
  );
}
