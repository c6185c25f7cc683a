import { type InvitationMailer, InvitationService } from '../core/access/invitations/service.ts';
import type { State } from './state.ts';

/** `mailer`: null without a mail server. */
export function openInvitations(state: State, mailer: InvitationMailer | null): InvitationService {
  const { invitationStore, userStore, tenants, passwords, logins, loginSteps, identityProviders } = state;
  const { audit, effects } = state;
  return new InvitationService({
    ...{ store: invitationStore, users: userStore, tenants, passwords, mailer, audit, effects },
    attemptOf: (client) => logins.attemptOf(client),
    admit: (user, client, details) => loginSteps.admit(user, client, details),
    linksByEmail: (tenantId, email) => identityProviders.linksByEmail(tenantId, email),
  });
}
