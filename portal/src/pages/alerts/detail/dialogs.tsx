import { useNavigate } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { Sent } from '../../../sending/deliveries.tsx';
import { SendDialog, whoGets } from '../../../sending/send-dialog.tsx';
import { ConfirmDialog, pageTitle } from '../../../ui/confirm-dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { announce } from '../../../ui/toast.tsx';
import { ALERTS, type Alert, invalidateAlerts } from '../alerts.ts';
import { StateBadge } from '../state-badge.tsx';
import { useFindingFacts } from './last-check.tsx';

export type AlertDialogName = 'test' | 'remove';

interface AlertDialogProps {
  name: AlertDialogName;
  alert: Alert;
  onClose(): void;
}

export default function AlertDialog({ name, alert, onClose }: AlertDialogProps) {
  return name === 'test' ? <Test alert={alert} onClose={onClose} /> : <Remove alert={alert} onClose={onClose} />;
}

function Remove({ alert: { id, title }, onClose }: Omit<AlertDialogProps, 'name'>) {
  const navigate = useNavigate();
  const remove = async () => {
    const { error } = await client.DELETE(`${ALERTS}/{id}`, { params: { path: { id } } });
    if (error) throw error;
    await navigate({ to: '/alerts' });
    await invalidateAlerts();
    announce('The alert was removed');
  };
  return (
    <ConfirmDialog
      title="Remove this alert?"
      description={`“${title}” is not checked any more, and its history is lost. To keep the history, switch it off.`}
      act="Remove"
      onAct={remove}
      onClose={onClose}
      focusAfter={pageTitle}
    />
  );
}

/** What a check finds now, and who was sent it. */
function Test({ alert, onClose }: Omit<AlertDialogProps, 'name'>) {
  const send = async () => {
    const { data, error } = await client.POST(`${ALERTS}/{id}/test`, { params: { path: { id: alert.id } } });
    if (!data) throw error;
    await invalidateAlerts();
    return data.test;
  };
  return (
    <SendDialog
      title="Test this alert"
      description={`It is checked now. ${whoGets(alert.targets, 'a message that says it is a test')} Its state stays as it is.`}
      act="Test now"
      onSend={send}
      onClose={onClose}
    >
      {(test) => <Tested alert={alert} test={test} />}
    </SendDialog>
  );
}

function Tested({ alert, test }: { alert: Alert; test: Schemas['AlertTest'] }) {
  const facts = useFindingFacts(alert, test);
  return (
    <>
      <Facts
        label="What the check found"
        facts={[['State', <StateBadge key="state" state={test.state} />], ...facts]}
      />
      <Sent deliveries={test.deliveries} />
    </>
  );
}
