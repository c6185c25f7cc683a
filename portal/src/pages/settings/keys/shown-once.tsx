import { useState } from 'react';
import { serverUrl } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { When } from '../../../ui/time.tsx';
import { setupsFor } from './setups.ts';
import type { NewKey } from './types.ts';

interface ShownOnceProps {
  made: NewKey;
  isRotated: boolean;
  onClose(): void;
}

/** The new key with its setups. It closes only by its button: a slip of the hand must not lose the key. */
export function ShownOnce({ made, isRotated, onClose }: ShownOnceProps) {
  const { label, key, scopes, expiresAt, formerSecretUntil = null } = made;
  const [isReminded, setReminded] = useState(false);
  const setups = setupsFor(scopes, { url: `${serverUrl}/mcp`, serverUrl, key });
  const [chosen, setChosen] = useState(setups[0]!.value);
  const setup = setups.find(({ value }) => value === chosen)!;
  return (
    <Dialog
      open
      title={isRotated ? `The new secret of ${label}` : `The key ${label} is made`}
      description="Copy it now: it is not shown again. Whoever loses it rotates the key."
      onClose={() => setReminded(true)}
    >
      <CodeBlock text={key} label="API key" />
      {isRotated && (
        <p>
          <When words="The old secret works until" iso={formerSecretUntil} none="The old secret is void" />.
        </p>
      )}
      <p className="small muted">
        <When words="It expires" iso={expiresAt} none="It never expires" />.
      </p>
      <Tabs label="Setups" value={chosen} tabs={setups} onChoose={setChosen}>
        <div className="stack">
          <ol className="numbered">
            {setup.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <CodeBlock text={setup.code} label="Setup" />
        </div>
      </Tabs>
      <div role="alert">
        {isReminded && <p className="notice">Have you copied the key? Close with the button: it is not shown again.</p>}
      </div>
      <div className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
