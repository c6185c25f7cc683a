import { useState } from 'react';
import { serverUrl } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { When } from '../../../ui/time.tsx';
import { setupsFor } from './setups.ts';
import type { NewKey } from './types.ts';

interface MadeKeyProps {
  made: NewKey;
  isRotated: boolean;
  onClose(): void;
}

/** The new key with its setups. */
export function MadeKey({ made, isRotated, onClose }: MadeKeyProps) {
  const { label, key, scopes, expiresAt, formerSecretUntil = null } = made;
  const setups = setupsFor(scopes, { url: `${serverUrl}/mcp`, serverUrl, key });
  const [chosen, setChosen] = useState(setups[0]!.value);
  const setup = setups.find(({ value }) => value === chosen)!;
  return (
    <ShownOnce
      title={isRotated ? t('The new secret of {label}', { label }) : t('The key {label} is made', { label })}
      description={t('Copy it now: it is not shown again. Whoever loses it rotates the key.')}
      act={t('I have copied it')}
      onClose={onClose}
    >
      <CodeBlock text={key} label={t('API key')} />
      {isRotated && (
        <p>
          <When text="The old secret works until {time}" iso={formerSecretUntil} none={t('The old secret is void')} />.
        </p>
      )}
      <p className="small muted">
        <When text="It expires {time}" iso={expiresAt} none={t('It never expires')} />.
      </p>
      <Tabs label={t('Setups')} value={chosen} tabs={setups} onChoose={setChosen}>
        <div className="stack">
          <ol className="numbered">
            {setup.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <CodeBlock text={setup.code} label={t('Setup')} />
        </div>
      </Tabs>
    </ShownOnce>
  );
}
