import { useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { type Role, roleChoices } from '../../../api/roles.ts';
import { useSession } from '../../../api/session.ts';
import { Choices } from '../../../ui/choices.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Check, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Time } from '../../../ui/time.tsx';
import { usersChanged } from './changed.ts';
import { INVITATIONS } from './users.ts';

const NO_MAIL = 'This server sends no e-mail: its operator has set no mail server (AGENT_RUNTIME_SMTP_URL).';

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
      title="Invite somebody"
      description="You get a link that works once, for seven days. Whoever opens it sets a name and a password."
      act="Invite"
      start={{ ...start, mail: false }}
      paths={['email', 'role']}
      onSubmit={invite}
      invalidate={usersChanged}
      onClose={() => isInvited.current || onClose()}
    >
      {({ field }) => (
        <>
          <TextField label="E-mail" type="email" autoComplete="off" {...field.text('email')} />
          <Choices legend="Role" choices={roleChoices(user.role)} {...field.choice('role')} />
          <Check
            label="Send the link by e-mail, too"
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
    <ShownOnce title={`The link for ${email}`} act="Done" onClose={onClose}>
      <p>
        {mailed ? 'It was sent to this address. ' : 'Give it to this person alone: whoever has it can use it. '}
        It is shown only now, works once, and is valid until <Time iso={expiresAt} />.
      </p>
      {mailError !== undefined && (
        <p className="notice warning" role="alert">
          It was not sent: {mailError} Hand it over yourself.
        </p>
      )}
      <CodeBlock text={link} label="Invitation link" />
    </ShownOnce>
  );
}
