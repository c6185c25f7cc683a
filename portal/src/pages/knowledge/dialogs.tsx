import { useNavigate } from '@tanstack/react-router';
import { answerOf, client } from '../../api/client.ts';
import { queryClient } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { announce } from '../../ui/toast.tsx';
import { TypedDialog } from '../settings/data/typed-dialog.tsx';
import { contentsChanged, STORE, STORES, type VectorStore } from './knowledge.ts';
import { documentsInWords } from './words.ts';

export type StoreChange = { kind: 'create' } | { kind: 'rename' | 'delete'; store: VectorStore };

interface ChangeProps<Change extends StoreChange = StoreChange> {
  change: Change;
  onClose(): void;
}

export default function StoreDialog({ change, onClose }: ChangeProps) {
  if (change.kind === 'create') return <NameStore onClose={onClose} />;
  const { kind, store } = change;
  return kind === 'rename' ? (
    <NameStore store={store} onClose={onClose} />
  ) : (
    <DeleteStore store={store} onClose={onClose} />
  );
}

/** Names a new store, or a given one anew. Its page opens. */
function NameStore({ store, onClose }: { store?: VectorStore; onClose(): void }) {
  const navigate = useNavigate();
  const save = async ({ name }: { name: string }) => {
    const body = { name: name.trim() };
    await (store
      ? answerOf(client.PATCH(STORE, { params: { path: { name: store.name } }, body }))
      : answerOf(client.POST(STORES, { body })));
    // The form, which is saved, would ask whether to leave it.
    await navigate({ to: '/knowledge/$store', params: { store: body.name }, ignoreBlocker: true });
  };
  return (
    <FormDialog
      title={store ? t('Rename {name}', { name: store.name }) : t('New vector store')}
      description={
        store
          ? t('Agents and programs that name it find it by the new name only.')
          : t('One for each subject: agents are told which one to search.')
      }
      act={store ? t('Rename') : t('Create')}
      start={{ name: store?.name ?? '' }}
      onSubmit={save}
      invalidate={contentsChanged}
      done={store ? t('The vector store was renamed') : t('The vector store was made')}
      onClose={onClose}
    >
      {({ field }) => (
        <TextField
          label={t('Name')}
          help={t('Letters, digits, hyphens, underscores and full stops, such as returns-2026.')}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          {...field.text('name')}
        />
      )}
    </FormDialog>
  );
}

function DeleteStore({ store: { name, documents }, onClose }: { store: VectorStore; onClose(): void }) {
  const navigate = useNavigate();
  const drop = async () => {
    await answerOf(client.DELETE(STORE, { params: { path: { name } } }));
    await navigate({ to: '/knowledge' });
    queryClient.removeQueries({ predicate: ({ queryKey: [, path] }) => String(path).startsWith(STORE) });
    await contentsChanged();
    announce(t('The vector store was deleted'));
  };
  return (
    <TypedDialog
      title={t('Delete {name}?', { name })}
      description={t(
        'It has {documents}. All of it is gone for good, and agents find nothing there any more. The original files are not kept by the server.',
        {
          documents: documentsInWords(documents),
        },
      )}
      name={name}
      act={t('Delete')}
      onAct={drop}
      onClose={onClose}
    />
  );
}
