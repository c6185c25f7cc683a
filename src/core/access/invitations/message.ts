import type { Role } from '../../base/shared/caller.ts';
import { oneLine } from '../../base/shared/text.ts';

export interface InvitationMail {
  title: string;
  text: string;
}

interface Content {
  tenant: string;
  inviter: { name: string; email: string };
  role: Role;
  link: string;
  expiresAt: string;
}

/** Plain text: names of people are theirs to choose, and must not become markup. */
export function invitationMail({ tenant, inviter, role, link, expiresAt }: Content): InvitationMail {
  const who = oneLine(`${inviter.name} (${inviter.email})`);
  return {
    title: oneLine(`${inviter.name} invites you to ${tenant}`),
    text: [
      `${who} invites you to the workspace ${oneLine(tenant)} of Agent Runtime, with the role ${role}.`,
      '',
      'Open this link to set your name and password. It works once:',
      link,
      '',
      `It is valid until ${expiresAt}. If you do not know who invites you, ignore this message.`,
    ].join('\n'),
  };
}
