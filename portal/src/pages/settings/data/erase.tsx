import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { roleLabel } from '../../../api/roles.ts';
import { invalidate, queryClient, useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Form, TextField, typing } from '../../../ui/field.tsx';
import { useAdministratorReason } from '../operator.ts';
import { rememberErased } from './erased.ts';
import { TypedDialog } from './typed-dialog.tsx';
import { ERASURE, erasedWords } from './words.ts';

const BACKUPS_STAY = t('Backups made before still have it.');

const PARTS = {
  threadId: {
    title: t('A conversation'),
    act: t('Erase the thread …'),
    idFirst: t('Give the id of the thread first.'),
    question: t('Erase this thread?'),
    erased: (id: string, items: string) => t('Erased of thread {id}: {items}.', { id, items }),
    label: t('Thread'),
    help: t('Its id, as your agents send it.'),
    goes: t('Its events, executions, reviews and assessments.'),
  },
  userId: {
    title: t('An end user'),
    act: t('Erase the end user …'),
    idFirst: t('Give the id of the end user first.'),
    question: t('Erase this end user?'),
    erased: (id: string, items: string) => t('Erased of end user {id}: {items}.', { id, items }),
    label: t('End user'),
    help: t('The id that your application uses.'),
    goes: t(
      "All conversations of a person whom your agents served, with their events, executions, reviews and assessments. Of a thread where others have executions, only the person's own.",
    ),
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
  const { title, label, help, goes, act, idFirst, question, erased: saidOf } = PARTS[member];
  const reason = useAdministratorReason();
  const [id, setId] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const erase = async () => {
    const { erased } = await answerOf(client.POST(ERASURE, { body: { [member]: asked! } }));
    setTold(saidOf(asked!, erasedWords(erased)));
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
      <p className="muted">
        {goes} {t('Documents and messages that were sent stay.')}
      </p>
      <TextField label={label} help={help} disabled={reason !== undefined} maxLength={200} {...typing(id, setId)} />
      {reason !== undefined && <p className="muted">{reason}</p>}
      <p role="status">{told}</p>
      <div className="row">
        <Button type="submit" look="danger" reason={reason ?? (id.trim() === '' ? idFirst : undefined)}>
          {act}
        </Button>
      </div>
      {asked !== null && (
        <TypedDialog
          title={question}
          description={`${goes} ${t('All of it is gone for good.')} ${BACKUPS_STAY}`}
          name={asked}
          act={t('Erase')}
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
      : t('Only a super administrator may do this. Your role is {role}.', { role: roleLabel(user.role) });
  const erase = async () => {
    const { erased } = await answerOf(client.POST(ERASURE, { body: { tenant: tenant.name } }));
    rememberErased({ name: tenant.name, words: erasedWords(erased) });
    await navigate({ to: '/erased', replace: true });
    // Its answers are of nobody any more.
    queryClient.clear();
  };
  return (
    <section className="stack" aria-labelledby="erase-workspace">
      <h3 id="erase-workspace">{t('The whole workspace')}</h3>
      <p className="muted">
        {t(
          'Everything of {tenant}: events, documents, executions, dashboards, keys and users, you among them. All sessions end.',
          { tenant: tenant.name },
        )}{' '}
        {BACKUPS_STAY}
      </p>
      {reason !== undefined && <p className="muted">{reason}</p>}
      <div className="row">
        <Button look="danger" reason={reason} onClick={() => setAsking(true)}>
          {t('Erase the workspace …')}
        </Button>
      </div>
      {isAsking && (
        <TypedDialog
          title={t('Erase everything of {tenant}?', { tenant: tenant.name })}
          description={`${t('It cannot be undone: no page, key or login of this workspace works afterwards.')} ${BACKUPS_STAY}`}
          name={tenant.name}
          act={t('Erase everything')}
          onAct={erase}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
