import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { EditProvider, invalidateProviders, NewProvider } from './editor.tsx';
import { ModelsDialog } from './models-dialog.tsx';
import { PROVIDERS, type ProviderChange } from './providers.ts';
import { TestDialog } from './test-dialog.tsx';

export default function ChangeDialog({ change, onClose }: { change: ProviderChange; onClose(): void }) {
  if (change.kind === 'add') return <NewProvider vendor={change.vendor} onClose={onClose} />;
  if (change.kind === 'edit') return <EditProvider name={change.name} onClose={onClose} />;
  if (change.kind === 'test') return <TestDialog {...change} onClose={onClose} />;
  if (change.kind === 'models') return <ModelsDialog {...change} onClose={onClose} />;
  return <DeleteProvider name={change.name} onClose={onClose} />;
}

function DeleteProvider({ name, onClose }: { name: string; onClose(): void }) {
  return (
    <ActDialog
      title={t('Delete {name}?', { name })}
      description={t(
        'Chats that name it are refused from now on. Its key is deleted with it; what it has answered stays.',
      )}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(`${PROVIDERS}/{name}`, { params: { path: { name } } }))}
      invalidate={invalidateProviders}
      done={t('The provider {name} was deleted', { name })}
      onClose={onClose}
    />
  );
}
