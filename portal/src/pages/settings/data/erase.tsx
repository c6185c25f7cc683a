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

/** A conversation, or the whole workspace, for good. */
export function Erase() {
  return (
    <>
      <EraseThread />
      <EraseWorkspace />
    </>
  );
}

/** Erases all that a conversation has left, as data protection law may demand. */
function EraseThread() {
  const reason = useAdministratorReason();
  const [threadId, setThreadId] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const erase = async () => {
    const { erased } = await answerOf(client.POST(ERASURE, { body: { threadId: asked! } }));
    setTold(`Erased of thread ${asked}: ${erasedWords(erased)}.`);
    setThreadId('');
    await invalidate((path) => !path.startsWith('/api/v1/portal/me'));
  };
  const submit = () => {
    setTold(null);
    if (reason === undefined && threadId.trim() !== '') setAsked(threadId.trim());
  };
  return (
    <Form aria-labelledby="erase-thread" onSubmit={submit}>
      <h3 id="erase-thread">A conversation</h3>
      <p className="muted">
        What concerns a thread: its events, executions, reviews and assessments. Documents and messages that were sent
        stay.
      </p>
      <TextField
        label="Thread"
        help="Its id, as your agents send it."
        disabled={reason !== undefined}
        maxLength={200}
        {...typing(threadId, setThreadId)}
      />
      {reason !== undefined && <p className="muted">{reason}</p>}
      <p role="status">{told}</p>
      <div className="row">
        <Button
          type="submit"
          look="danger"
          reason={reason ?? (threadId.trim() === '' ? 'Give the id of a thread first.' : undefined)}
        >
          Erase the thread …
        </Button>
      </div>
      {asked !== null && (
        <TypedDialog
          title="Erase this thread?"
          description={`Its events, executions, reviews and assessments are gone for good. ${BACKUPS_STAY}`}
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
