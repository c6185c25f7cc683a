import { useNavigate } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import { Sent } from '../../../sending/deliveries.tsx';
import { SendDialog, whoGets } from '../../../sending/send-dialog.tsx';
import { ConfirmDialog, pageTitle } from '../../../ui/confirm-dialog.tsx';
import { announce } from '../../../ui/toast.tsx';
import { DIGESTS, type Digest, invalidateDigests } from '../digests.ts';

export type DigestDialogName = 'send' | 'remove';

interface DigestDialogProps {
  name: DigestDialogName;
  digest: Digest;
  onClose(): void;
}

export default function DigestDialog({ name, digest, onClose }: DigestDialogProps) {
  return name === 'send' ? <Send digest={digest} onClose={onClose} /> : <Remove digest={digest} onClose={onClose} />;
}

function Send({ digest: { id, targets }, onClose }: Omit<DigestDialogProps, 'name'>) {
  const send = async () => {
    const { data, error } = await client.POST(`${DIGESTS}/{id}/test`, { params: { path: { id } } });
    if (!data) throw error;
    await invalidateDigests();
    return data.deliveries;
  };
  return (
    <SendDialog
      title="Send this digest now"
      description={`${whoGets(targets, 'it at once')} The schedule stays as it is.`}
      act="Send now"
      onSend={send}
      onClose={onClose}
    >
      {(deliveries) => <Sent deliveries={deliveries} />}
    </SendDialog>
  );
}

function Remove({ digest: { id, title }, onClose }: Omit<DigestDialogProps, 'name'>) {
  const navigate = useNavigate();
  const remove = async () => {
    const { error } = await client.DELETE(`${DIGESTS}/{id}`, { params: { path: { id } } });
    if (error) throw error;
    await navigate({ to: '/digests' });
    await invalidateDigests();
    announce('The digest was removed');
  };
  return (
    <ConfirmDialog
      title="Remove this digest?"
      description={`“${title}” is not sent any more. The dashboard and its cards stay.`}
      act="Remove"
      onAct={remove}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}
