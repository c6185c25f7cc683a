import { useMutation } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { listTools } from './test-connection.ts';

/** Tests the MCP endpoint with the key, as the client will use it. */
export function ConnectionTest({ url, apiKey }: { url: string; apiKey: string | null }) {
  const check = useMutation({ mutationFn: () => listTools(url, apiKey ?? '') });
  return (
    <div className="stack tight">
      <div className="row">
        <Button icon="plug" disabled={apiKey === null || check.isPending} onClick={() => check.mutate()}>
          Test the connection
        </Button>
        {apiKey === null && <span className="muted small">Make a key first.</span>}
      </div>
      <div role="status">
        {check.isPending && <p>Asking for the tools …</p>}
        {check.data && (
          <p>
            <span className="up">✓ Connected.</span> This key has {check.data.length} tools: {check.data.join(', ')}.
          </p>
        )}
      </div>
      <div role="alert">{check.error && <p className="down">Not connected: {check.error.message}</p>}</div>
    </div>
  );
}
