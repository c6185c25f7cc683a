import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../ui/states.tsx';

/** The not-found page outside the shell. */
export function NoSuchAddress() {
  return (
    <main>
      <NoPage />
    </main>
  );
}

export function NoPage() {
  return (
    <div className="empty">
      <h1>There is no such page</h1>
      <Link to="/">Go to the dashboards</Link>
    </div>
  );
}

export function PageError({ error }: { error: unknown }) {
  return (
    <div className="stack">
      <h1>This page cannot be shown</h1>
      <ErrorNotice error={error} onRetry={() => window.location.reload()} />
    </div>
  );
}
