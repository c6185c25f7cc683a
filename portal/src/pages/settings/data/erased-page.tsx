import { Link } from '@tanstack/react-router';
import { PageHead } from '../../../ui/page-head.tsx';
import { lastErased } from './erased.ts';

/** Without the shell, which needs a user. */
export function Erased() {
  const { name, words } = lastErased()!;
  return (
    <main className="alone">
      <div className="panel padded stack">
        <PageHead title="The workspace is erased" />
        <p>
          {name}: {words}.
        </p>
        <p>
          You are logged out, and so is everybody else: users, keys and sessions are gone with the data. Backups made
          before still have it; delete them where that is wanted.
        </p>
        <p className="muted">
          If it was the only workspace, the next start of the server makes a new, empty one. The operator adds users to
          it: <code>agent-runtime users create</code>.
        </p>
        <Link to="/login">Log in to another workspace</Link>
      </div>
    </main>
  );
}
