import type { ComponentType } from 'react';
import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { PageHead } from '../../ui/page-head.tsx';

/** A page for administrators; to others it says who sees these things: "Only administrators see users." */
export function forAdministrators(title: string, whoSees: string, Page: ComponentType): ComponentType {
  return () => {
    const { isAdministrator, user } = useSession();
    if (isAdministrator) return <Page />;
    return (
      <>
        <PageHead title={title} />
        <p className="notice">
          {whoSees}{' '}
          {t('Your role is {role}; an administrator can give you another one.', { role: roleLabel(user.role) })}
        </p>
      </>
    );
  };
}
