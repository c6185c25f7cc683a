import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { DeleteDialog, SendDialog } from '../../../sending/dialogs.tsx';
import type { SendingDialogProps } from '../../../sending/page.tsx';
import { Sent } from '../../../sending/shown.tsx';
import { whoGets } from '../../../sending/words.ts';
import { DIGESTS, type Digest, invalidateDigests } from '../digests.ts';

type DigestDialogProps = SendingDialogProps<Digest>;

export default function DigestDialog({ name, ...rest }: DigestDialogProps) {
  return name === 'send' ? <Send {...rest} /> : <Delete {...rest} />;
}

function Send({ stored: { id, targets }, onClose }: Omit<DigestDialogProps, 'name'>) {
  const send = async () => {
    const { deliveries } = await answerOf(client.POST(`${DIGESTS}/{id}/test`, { params: { path: { id } } }));
    await invalidateDigests();
    return deliveries;
  };
  return (
    <SendDialog
      title={t('Send this digest now')}
      description={`${whoGets('digest', targets)} ${t('The schedule stays as it is.')}`}
      act={t('Send now')}
      onSend={send}
      onClose={onClose}
    >
      {(deliveries) => <Sent deliveries={deliveries} />}
    </SendDialog>
  );
}

function Delete({ stored: { id, title }, onClose }: Omit<DigestDialogProps, 'name'>) {
  return (
    <DeleteDialog
      noun="digest"
      description={t('“{title}” is not sent any more. The dashboard and its cards stay.', { title })}
      onDelete={() => answerOf(client.DELETE(`${DIGESTS}/{id}`, { params: { path: { id } } }))}
      invalidate={invalidateDigests}
      onClose={onClose}
    />
  );
}
