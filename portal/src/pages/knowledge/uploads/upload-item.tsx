import { t } from '../../../language/index.ts';
import { bytesText } from '../../../transcript/figures.ts';
import { Actions, Badge, Item } from '../../../ui/item-list.tsx';

import type { FileUpload } from './queue.ts';
import { BROKEN, uploads } from './send.ts';

/** A file on its way, with the buttons that its state has. */
export function UploadItem({ upload }: { upload: FileUpload }) {
  const { id, path, state, file, sentBytes, message } = upload;
  const isOver = state === 'refused' || state === 'broken';
  const again = {
    ...({ label: t('Send again'), name: t('Send again: {name}', { name: path }), icon: 'refresh' } as const),
    onClick: () => uploads.retry(id),
  };
  const remove = {
    label: isOver ? t('Remove') : t('Cancel'),
    name: isOver ? t('Remove {name} from the list', { name: path }) : t('Cancel {name}', { name: path }),
    onClick: () => uploads.remove(id),
  };
  return (
    <Item
      title={path}
      beside={isOver && <Badge tone="bad">{t('Not sent')}</Badge>}
      end={<Actions actions={state === 'broken' ? [again, remove] : [remove]} />}
    >
      {state === 'sending' && (
        <progress aria-label={t('{name} is sent', { name: path })} value={sentBytes} max={Math.max(file.size, 1)} />
      )}
      <p className={isOver ? 'small bad-text' : 'small muted'}>
        {state === 'broken' ? BROKEN : (message ?? saying(upload))}
      </p>
    </Item>
  );
}

function saying({ state, file, sentBytes }: FileUpload): string {
  const size = bytesText(file.size);
  if (state === 'busy') return t('{size}: the server is busy; it is sent again in a moment', { size });
  if (state === 'waiting') return t('{size}: waits', { size });
  return sentBytes < file.size
    ? t('{sent} of {size} sent', { sent: bytesText(sentBytes), size })
    : t('{size} sent: the server takes it', { size });
}
