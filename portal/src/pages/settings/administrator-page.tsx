import type { ComponentType } from 'react';
import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { PageHead } from '../../ui/page-head.tsx';

/** A page for administrators; to others it says that only they see these things: "users". */
export function forAdministrators(title: string, nouns: string, Page: ComponentType): ComponentType {
  return () => {
    const { isAdministrator, user } = useSession();
    if (isAdministrator) return <Page />;
    return (
      <>
        <PageHead title={title} />
        <p className="notice">
          Only administrators see {nouns}. Your role is {roleLabel(user.role)}; an administrator can give you another
          one.
        </p>
      </>
    );
  };
}
