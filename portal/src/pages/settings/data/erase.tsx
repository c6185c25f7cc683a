import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { roleLabel } from '../../../api/roles.ts';
import { invalidate, queryClient, useSession } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Form, TextField, typing } from '../../../ui/field.tsx';
import { useAdministratorReason } from '../operator.ts';
import { rememberErased } from './erased.ts';
import { TypedDialog } from './typed-dialog.tsx';
import { ERASURE, erasedWords } from './words.ts';

const BACKUPS_STAY = 'Backups made before still have it.';

const PARTS = {
  threadId: {
    noun: 'thread',
    title: 'A conversation',
    label: 'Thread',
    help: 'Its id, as your agents send it.',
    goes: 'Its events, executions, reviews and assessments.',
  },
  userId: {
    noun: 'end user',
    title: 'An end user',
    label: 'End user',
    help: 'The id that your application uses.',
    goes:
      'All conversations of a person whom your agents served, with their events, executions, reviews and assessments. ' +
      "Of a thread where others have executions, only the person's own.",
  },
} as const;

/** A conversation, an end user, or the whole workspace, for good. */
export function Erase() {
  return (
    <>
      <ErasePart member="threadId" />
      <ErasePart member="userId" />
      <EraseWorkspace />
    </>
  );
}

/** Erases all that a conversation or a person has left, as data protection law may demand. */
function ErasePart({ member }: { member: keyof typeof PARTS }) {
  const { noun, title, label, help, goes } = PARTS[member];
  const reason = useAdministratorReason();
  const [id, setId] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const erase = async () => {
    const { erased } = await answerOf(client.POST(ERASURE, { body: { [member]: asked! } }));
    setTold(`Erased of ${noun} ${asked}: ${erasedWords(erased)}.`);
    setId('');
    await invalidate((path) => !path.startsWith('/api/v1/portal/me'));
  };
  const submit = () => {
    setTold(null);
    if (reason === undefined && id.trim() !== '') setAsked(id.trim());
  };
  return (
    <Form aria-labelledby={`erase-${member}`} onSubmit={submit}>
      <h3 id={`erase-${member}`}>{title}</h3>
      <p className="muted">{goes} Documents and messages that were sent stay.</p>
      <TextField label={label} help={help} disabled={reason !== undefined} maxLength={200} {...typing(id, setId)} />
      {reason !== undefined && <p className="muted">{reason}</p>}
      <p role="status">{told}</p>
      <div className="row">
        <Button
          type="submit"
          look="danger"
          reason={reason ?? (id.trim() === '' ? `Give the id of the ${noun} first.` : undefined)}
        >
          Erase the {noun} …
        </Button>
      </div>
      {asked !== null && (
        <TypedDialog
          title={`Erase this ${noun}?`}
          description={`${goes} All of it is gone for good. ${BACKUPS_STAY}`}
          name={asked}
          act="Erase"
          onAct={erase}
          onClose={() => setAsked(null)}
        />
      )}
    </Form>
  );
}

function EraseWorkspace() {
  const { tenant, user } = useSession();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const reason =
    user.role === 'SUPER_ADMIN'
      ? undefined
      : `Only a super administrator may do this. Your role is ${roleLabel(user.role)}.`;
  const erase = async () => {
    const { erased } = await answerOf(client.POST(ERASURE, { body: { tenant: tenant.name } }));
    rememberErased({ name: tenant.name, words: erasedWords(erased) });
    await navigate({ to: '/erased', replace: true });
    // Its answers are of nobody any more.
    queryClient.clear();
  };
  return (
    <section className="stack" aria-labelledby="erase-workspace">
      <h3 id="erase-workspace">The whole workspace</h3>
      <p className="muted">
        Everything of {tenant.name}: events, documents, executions, dashboards, keys and users, you among them. All
        sessions end. {BACKUPS_STAY}
      </p>
      {reason !== undefined && <p className="muted">{reason}</p>}
      <div className="row">
        <Button look="danger" reason={reason} onClick={() => setAsking(true)}>
          Erase the workspace …
        </Button>
      </div>
      {isAsking && (
        <TypedDialog
          title={`Erase everything of ${tenant.name}?`}
          description={`It cannot be undone: no page, key or login of this workspace works afterwards. ${BACKUPS_STAY}`}
          name={tenant.name}
          act="Erase everything"
          onAct={erase}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
