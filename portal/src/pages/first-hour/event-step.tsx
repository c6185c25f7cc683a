import { useState } from 'react';
import { api, serverUrl } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy-button.tsx';
import { ErrorNotice } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CsvImport } from './csv/csv-import.tsx';
import type { Progress } from './progress.ts';
import { useSendReason } from './reasons.ts';
import { SampleDataPanel } from './sample-data.tsx';
import { curlOf, NO_KEY, typescriptOf } from './snippets.ts';

const WAYS = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'csv', label: t('CSV file') },
  { value: 'sample', label: t('Sample data') },
] as const;
type Way = (typeof WAYS)[number]['value'];

interface EventStepProps {
  progress: Progress;
  /** Dropped on the page. */
  file: File | null;
  onFile(): void;
  onNext(): void;
}

export function EventStep({ progress, file, onFile, onNext }: EventStepProps) {
  const [chosen, setWay] = useState<Way>('curl');
  const [key, setKey] = useState<string | null>(null);
  const [given, setGiven] = useState<File | null>(null);
  if (file && file !== given) {
    setGiven(file);
    setWay('csv');
  }
  const address = { url: serverUrl, key: key ?? NO_KEY };
  return (
    <div className="stack">
      <p>{t('An event says what happened: a name, and properties as you like. Send one in the way that suits you.')}</p>
      <Tabs label={t('Ways to send an event')} value={chosen} tabs={WAYS} onChoose={(value) => setWay(value as Way)}>
        <div className="stack">
          {(chosen === 'curl' || chosen === 'typescript') && (
            <>
              <SendKey madeKey={key} onMade={setKey} />
              <CodeBlock text={chosen === 'curl' ? curlOf(address) : typescriptOf(address)} label={t('Lines to run')} />
              {progress.steps.event === null && (
                <p className="muted small">{t('This page sees the event as soon as it has arrived.')}</p>
              )}
            </>
          )}
          <div hidden={chosen !== 'csv'}>
            <CsvImport
              file={given}
              onFile={(next) => {
                setGiven(next);
                onFile();
              }}
              onNext={onNext}
            />
          </div>
          {chosen === 'sample' && <SampleDataPanel state={progress.sampleData} />}
        </div>
      </Tabs>
    </div>
  );
}

/** Makes a key that sends events, and shows it once. */
function SendKey({ madeKey, onMade }: { madeKey: string | null; onMade(key: string): void }) {
  const reason = useSendReason();
  const make = api.useMutation('post', '/api/v1/portal/keys', { onSuccess: ({ key }) => onMade(key) });
  if (madeKey !== null) {
    return (
      <p className="small" role="status">
        {t('The lines have your new key, which is shown this once. Keys are listed, and ended, under Settings.')}
      </p>
    );
  }
  return (
    <>
      <div className="row">
        <Button
          look="primary"
          icon="key"
          reason={reason}
          disabled={make.isPending}
          onClick={() =>
            make.mutate({ body: { label: t('First event'), scopes: ['events:write'], agentId: null, expiresAt: null } })
          }
        >
          {t('Make a key')}
        </Button>
        <span className="muted small">{reason ?? t('It may send events, and nothing else.')}</span>
      </div>
      {make.error && <ErrorNotice error={make.error} />}
    </>
  );
}
