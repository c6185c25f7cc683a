import { answerOf, client } from '../../../api/client.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { contentsChanged, DOCUMENT, type StoredDocument } from '../knowledge.ts';

const NAMED = 5;

interface DeleteDocumentsProps {
  store: string;
  documents: readonly StoredDocument[];
  onDeleted(): void;
  onClose(): void;
}

export function DeleteDocuments({ store: name, documents, onDeleted, onClose }: DeleteDocumentsProps) {
  const { length } = documents;
  const named = documents.slice(0, NAMED).map((document) => document.name);
  const names = new Intl.ListFormat(LOCALE).format(
    documents.length > NAMED ? [...named, t.count(documents.length - NAMED, '{count} other', '{count} others')] : named,
  );
  const remove = async () => {
    for (const { documentId } of documents) {
      await answerOf(client.DELETE(DOCUMENT, { params: { path: { name, documentId } } }));
    }
    onDeleted();
  };
  return (
    <ActDialog
      title={t.count(length, 'Delete {count} document?', 'Delete {count} documents?')}
      description={t('{names}: searches find nothing of it any more. To have it back, upload the file again.', {
        names,
      })}
      act={t('Delete')}
      onAct={remove}
      invalidate={contentsChanged}
      done={t.count(length, '{count} document was deleted', '{count} documents were deleted')}
      onClose={onClose}
    />
  );
}
