import { Link } from '@tanstack/react-router';
import { t } from '../../../language/index.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { lastErased } from './erased.ts';

/** Without the shell, which needs a user. */
export function Erased() {
  const { name, words } = lastErased()!;
  return (
    <main className="alone">
      <div className="panel padded stack">
        <PageHead title={t('The workspace is erased')} />
        <p>
          {name}: {words}.
        </p>
        <p>
          {t(
            'You are logged out, and so is everybody else: users, keys and sessions are gone with the data. Backups made before still have it; delete them where that is wanted.',
          )}
        </p>
        <p className="muted">
          {t.nodes(
            'If it was the only workspace, the next start of the server makes a new, empty one. The operator adds users to it: {command}.',
            { command: <code>agent-runtime users create</code> },
          )}
        </p>
        <Link to="/login">{t('Log in to another workspace')}</Link>
      </div>
    </main>
  );
}
