import type { ComponentType } from 'react';
import { roleLabel } from '../api/roles.ts';
import { type Scope, useSession } from '../api/session.ts';
import { t } from '../language/index.ts';
import { heldTo } from '../limits/words.ts';
import { PageHead } from '../ui/page-head.tsx';

interface Refusal {
  /** For users who are held to a part of the tenant. */
  ofLimits: string;
  ofRole(role: string): string;
}

const REFUSALS = {
  alerts: {
    ofLimits: t('You cannot read alerts, which are of more than that. An administrator can change it.'),
    ofRole: (role) =>
      t('Your role, {role}, does not let you read alerts. An administrator can give you another one.', { role }),
  },
  digests: {
    ofLimits: t('You cannot read digests, which are of more than that. An administrator can change it.'),
    ofRole: (role) =>
      t('Your role, {role}, does not let you read digests. An administrator can give you another one.', { role }),
  },
  executions: {
    ofLimits: t('You cannot read executions, which are of more than that. An administrator can change it.'),
    ofRole: (role) =>
      t('Your role, {role}, does not let you read executions. An administrator can give you another one.', { role }),
  },
  stores: {
    ofLimits: t('You cannot read vector stores, which are of more than that. An administrator can change it.'),
    ofRole: (role) =>
      t('Your role, {role}, does not let you read vector stores. An administrator can give you another one.', { role }),
  },
  reviews: {
    ofLimits: t('You cannot read reviews, which are of more than that. An administrator can change it.'),
    ofRole: (role) =>
      t('Your role, {role}, does not let you read reviews. An administrator can give you another one.', { role }),
  },
} satisfies Record<string, Refusal>;

/** A page for those whose role may read its things; it says to others that they may not. */
export function forReaders(
  title: string,
  things: keyof typeof REFUSALS,
  scope: Scope,
  Page: ComponentType,
): ComponentType {
  return () => {
    const { can, user, limits } = useSession();
    if (can(scope)) return <Page />;
    const { ofLimits, ofRole } = REFUSALS[things];
    return (
      <>
        <PageHead title={title} />
        <p className="notice">{limits.length > 0 ? `${heldTo(limits)} ${ofLimits}` : ofRole(roleLabel(user.role))}</p>
      </>
    );
  };
}
