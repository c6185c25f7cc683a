import { useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox, type Suggestion } from '../../../ui/combobox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Form } from '../../../ui/field.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { dollars } from './models-dialog.tsx';
import { PROVIDERS, VENDOR_LABELS, type Vendor } from './providers.ts';
import { useModels } from './use-models.ts';

type Result = Schemas['ProviderTest'];

interface TestDialogProps {
  /** Without one, the vendor with the key of the environment. */
  name: string | null;
  vendor: Vendor;
  testModel: string | null;
  onClose(): void;
}

/** Asks a model for a few tokens, and shows what came of it and what it cost. */
export function TestDialog({ name, vendor, testModel, onClose }: TestDialogProps) {
  const [model, setModel] = useState(testModel ?? '');
  const [result, setResult] = useState<Result | null>(null);
  const { error, isBusy, run } = useTask();
  const { data } = useModels({ name, vendor });
  const test = () =>
    run(async () => {
      setResult(null);
      const body = model.trim() === '' ? {} : { model: model.trim() };
      setResult(await sendTest(name, vendor, body));
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Test of {name}', { name: name ?? VENDOR_LABELS[vendor] })}
      description={t('One short question of at most 16 tokens. It is recorded and counts in budgets, like any chat.')}
    >
      <Form onSubmit={() => isBusy || void test()}>
        <Combobox
          label={t('Model')}
          help={
            testModel === null ? t('A name that the server knows.') : t('The cheap one is chosen; any other will do.')
          }
          value={model}
          suggestions={suggestionsOf(data?.models ?? [])}
          placeholder="llama3.2"
          onChange={setModel}
        />
        <div role="status" className="stack tight">
          {isBusy && <p className="muted">{t('Asking the model …')}</p>}
          {result && <Outcome result={result} />}
        </div>
        {error !== null && <ErrorNotice error={error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>{t('Close')}</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {result ? t('Test again') : t('Test')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function sendTest(name: string | null, vendor: Vendor, body: { model?: string }): Promise<Result> {
  if (name !== null) return answerOf(client.POST(`${PROVIDERS}/{name}/test`, { params: { path: { name } }, body }));
  const path = { vendor: vendor as Exclude<Vendor, 'custom'> };
  return answerOf(client.POST(`${PROVIDERS}/vendors/{vendor}/test`, { params: { path }, body }));
}

function suggestionsOf(models: readonly Schemas['KnownModel'][]): Suggestion[] {
  return models.map(({ id, name, inputPerMillion, outputPerMillion }) => ({
    value: id,
    detail: name ?? undefined,
    ...(outputPerMillion !== null && { aside: `${dollars(inputPerMillion)} / ${dollars(outputPerMillion)}` }),
  }));
}

const HUNDREDTHS = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function Outcome({ result: { works, message, model, latencyMs, usage, cost, executionId } }: { result: Result }) {
  const facts = {
    [t('Model')]: <code>{model}</code>,
    [t('Time')]: latencyMs !== null && `${HUNDREDTHS.format(latencyMs / 1_000)} s`,
    [t('Tokens')]: usage && t('{input} in, {output} out', { input: usage.inputTokens, output: usage.outputTokens }),
    [t('Cost')]: costText(cost, usage !== null),
    [t('Execution')]: executionId !== null && <code>{executionId}</code>,
  };
  return (
    <>
      <p>
        <Badge tone={works ? 'good' : 'bad'}>{works ? t('Works') : t('Failed')}</Badge> {message}
      </p>
      <Facts label={t('Result of the test')} facts={facts} />
    </>
  );
}

/** A test costs far less than a cent. */
function costText(cost: number | null, isUsed: boolean): string {
  if (cost === null) return isUsed ? t('Unknown: no price is known for this model') : t('Nothing');
  return `US$ ${cost.toLocaleString(LOCALE, { maximumSignificantDigits: 3, maximumFractionDigits: 9 })}`;
}
