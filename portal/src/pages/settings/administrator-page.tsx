import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { PageHead } from '../../ui/page-head.tsx';

interface AdministratorPageProps {
  title: string;
  /** The things that the page shows: "users". */
  nouns: string;
  children: ReactNode;
}

/** A page for administrators; to others it says why they do not see it. */
export function AdministratorPage({ title, nouns, children }: AdministratorPageProps) {
  const { isAdministrator, user } = useSession();
  if (isAdministrator) return children;
  return (
    <>
      <PageHead title={title} />
      <p className="notice">
        Only administrators see {nouns}. Your role is {user.role}; an administrator can give you another one.
      </p>
    </>
  );
}
