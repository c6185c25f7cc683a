import { Link } from '@tanstack/react-router';
import { basePath } from '../../../api/client.ts';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { EmptyState } from '../../../ui/states.tsx';

const EVENT = '{"events": [{"eventName": "order_paid", "properties": {"amount": 49.9, "plan": "pro"}}]}';

interface NoEventsProps {
  agent: string | undefined;
  name: string | undefined;
  /** The number of events on other pages. */
  total: number;
}

export function NoEvents({ agent, name, total }: NoEventsProps) {
  if (total > 0) {
    return (
      <EmptyState title="There are no older events">
        <Link to="/events" search={{ name }}>
          To the newest
        </Link>
      </EmptyState>
    );
  }
  if (name !== undefined) {
    return (
      <EmptyState title={`No event "${name}"`}>
        <Link to="/events" search={{}}>
          Show all events
        </Link>
      </EmptyState>
    );
  }
  const address = `${window.location.origin}${basePath}api/v1/runtime/v1/observability/events`;
  const curl = `curl ${address} \\\n  -H "x-api-key: ar_YOUR_KEY" -H "content-type: application/json" \\\n  -d '${EVENT}'`;
  return (
    <EmptyState title={agent === undefined ? 'No events yet' : `No events of the agent "${agent}" yet`}>
      <p>Send the first one. It appears here within seconds.</p>
      <div className="first-event">
        <CodeBlock text={curl} label="Command that sends an event" />
      </div>
      <Link to="/connect">Make a key and connect an agent</Link>
    </EmptyState>
  );
}
