import type { ComponentType } from 'react';
import { roleLabel } from '../api/roles.ts';
import { type Scope, useSession } from '../api/session.ts';
import { heldTo } from '../limits/words.ts';
import { PageHead } from '../ui/page-head.tsx';

/** A page for those whose role may read its things ("reviews"); it says to others that they may not. */
export function forReaders(title: string, nouns: string, scope: Scope, Page: ComponentType): ComponentType {
  return () => {
    const { can, user, limits } = useSession();
    if (can(scope)) return <Page />;
    return (
      <>
        <PageHead title={title} />
        <p className="notice">
          {limits.length > 0
            ? `${heldTo(limits)} You cannot read ${nouns}, which are of more than that. An administrator can change it.`
            : `Your role, ${roleLabel(user.role)}, does not let you read ${nouns}. An administrator can give you another one.`}
        </p>
      </>
    );
  };
}
