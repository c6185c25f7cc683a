import { useRef, useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { bind } from '../../../ui/bind.ts';
import { Button } from '../../../ui/button.tsx';
import { Choices } from '../../../ui/choices.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { usersChanged } from './changed.ts';
import { type Role, roleChoices } from './roles.ts';
import { INVITATIONS } from './users.ts';

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
  const [form, setForm] = useState({ ...start, mail: false });
  const [invited, setInvited] = useState<Schemas['Invited'] | null>(null);
  // The link takes the place of the form, which closes after it.
  const isInvited = useRef(false);
  const invite = async () => {
    const body = { ...form, email: form.email.trim() };
    const made = await answerOf(client.POST(INVITATIONS, { body }));
    isInvited.current = true;
    setInvited(made);
    await usersChanged();
  };
  if (invited) return <LinkDialog invited={invited} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite somebody"
      description="You get a link that works once, for seven days. Whoever opens it sets a name and a password."
      act="Invite"
      paths={['email', 'role']}
      onSubmit={invite}
      onClose={() => isInvited.current || onClose()}
    >
      {(messages) => {
        const field = bind({ form, messages, onChange: (members) => setForm({ ...form, ...members }) });
        return (
          <>
            <TextField label="E-mail" type="email" autoComplete="off" {...field.text('email')} />
            <Choices legend="Role" choices={roleChoices(user.role)} {...field.choice('role')} />
            <label className="check">
              <input
                type="checkbox"
                checked={form.mail}
                disabled={!sendsMail}
                aria-describedby={sendsMail ? undefined : 'no-mail'}
                onChange={(event) => setForm({ ...form, mail: event.currentTarget.checked })}
              />
              Send the link by e-mail, too
            </label>
            {!sendsMail && (
              <p id="no-mail" className="field-help">
                This server sends no e-mail: its operator has set no mail server (AGENT_RUNTIME_SMTP_URL).
              </p>
            )}
          </>
        );
      }}
    </FormDialog>
  );
}

function LinkDialog({ invited, onClose }: { invited: Schemas['Invited']; onClose(): void }) {
  const { email, link, expiresAt, mailed, mailError } = invited;
  return (
    <Dialog open title={`The link for ${email}`} onClose={onClose}>
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
      <div className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
