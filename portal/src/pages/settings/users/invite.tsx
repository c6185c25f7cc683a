import { useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { type Role, roleChoices } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Choices } from '../../../ui/choices.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Check, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { When } from '../../../ui/time.tsx';
import { usersChanged } from './changed.ts';
import { INVITATIONS } from './users.ts';

const NO_MAIL = t('This server sends no e-mail: its operator has set no mail server (AGENT_RUNTIME_SMTP_URL).');

export interface InviteStart {
  email: string;
  role: Role;
}

interface InviteProps {
  start: InviteStart;
  /** Whether the server has a mail server. */
  sendsMail: boolean;
  onClose(): void;
}

/** Invites somebody, then shows the link once. */
export default function InviteDialog({ start, sendsMail, onClose }: InviteProps) {
  const { user } = useSession();
  const [invited, setInvited] = useState<Schemas['Invited'] | null>(null);
  // The link takes the place of the form, which closes after it.
  const isInvited = useRef(false);
  const invite = async (form: InviteStart & { mail: boolean }) => {
    const made = await answerOf(client.POST(INVITATIONS, { body: { ...form, email: form.email.trim() } }));
    isInvited.current = true;
    setInvited(made);
  };
  if (invited) return <LinkDialog invited={invited} onClose={onClose} />;
  return (
    <FormDialog
      title={t('Invite somebody')}
      description={t('You get a link that works once, for seven days. Whoever opens it sets a name and a password.')}
      act={t('Invite')}
      start={{ ...start, mail: false }}
      paths={['email', 'role']}
      onSubmit={invite}
      invalidate={usersChanged}
      onClose={() => isInvited.current || onClose()}
    >
      {({ field }) => (
        <>
          <TextField label={t('E-mail')} type="email" autoComplete="off" {...field.text('email')} />
          <Choices legend={t('Role')} choices={roleChoices(user.role)} {...field.choice('role')} />
          <Check
            label={t('Send the link by e-mail, too')}
            help={sendsMail ? undefined : NO_MAIL}
            disabled={!sendsMail}
            {...field.check('mail')}
          />
        </>
      )}
    </FormDialog>
  );
}

function LinkDialog({ invited, onClose }: { invited: Schemas['Invited']; onClose(): void }) {
  const { email, link, expiresAt, mailed, mailError } = invited;
  return (
    <ShownOnce title={t('The link for {email}', { email })} act={t('Done')} onClose={onClose}>
      <p>
        {mailed ? t('It was sent to this address.') : t('Give it to this person alone: whoever has it can use it.')}{' '}
        <When text="It is shown only now, works once, and is valid until {time}." iso={expiresAt} />
      </p>
      {mailError !== undefined && (
        <p className="notice warning" role="alert">
          {t('It was not sent: {reason} Hand it over yourself.', { reason: mailError })}
        </p>
      )}
      <CodeBlock text={link} label={t('Invitation link')} />
    </ShownOnce>
  );
}
