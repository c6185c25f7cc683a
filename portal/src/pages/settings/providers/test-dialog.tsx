import { useState } from 'react';
import { answerOf, client, type Schemas } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox, type Suggestion } from '../../../ui/combobox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Form } from '../../../ui/field.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { useModels } from './models-dialog.tsx';
import { PROVIDERS, VENDOR_LABELS, type Vendor } from './providers.ts';

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
      title={`Test of ${name ?? VENDOR_LABELS[vendor]}`}
      description="One short question of at most 16 tokens. It is recorded and counts in budgets, like any chat."
    >
      <Form onSubmit={() => isBusy || void test()}>
        <Combobox
          label="Model"
          help={testModel === null ? 'A name that the server knows.' : 'The cheap one is chosen; any other will do.'}
          value={model}
          suggestions={suggestionsOf(data?.models ?? [])}
          placeholder="llama3.2"
          onChange={setModel}
        />
        <div role="status" className="stack tight">
          {isBusy && <p className="muted">Asking the model …</p>}
          {result && <Outcome result={result} />}
        </div>
        {error !== null && <ErrorNotice error={error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {result ? 'Test again' : 'Test'}
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
    ...(outputPerMillion !== null && { aside: `$${inputPerMillion} / $${outputPerMillion}` }),
  }));
}

function Outcome({ result: { works, message, model, latencyMs, usage, cost, executionId } }: { result: Result }) {
  const facts = {
    Model: <code>{model}</code>,
    Time: latencyMs !== null && `${(latencyMs / 1_000).toFixed(2)} s`,
    Tokens: usage && `${usage.inputTokens} in, ${usage.outputTokens} out`,
    Cost: costText(cost, usage !== null),
    Execution: executionId !== null && <code>{executionId}</code>,
  };
  return (
    <>
      <p>
        <Badge tone={works ? 'good' : 'bad'}>{works ? 'Works' : 'Failed'}</Badge> {message}
      </p>
      <Facts label="Result of the test" facts={facts} />
    </>
  );
}

/** A test costs far less than a cent. */
function costText(cost: number | null, isUsed: boolean): string {
  if (cost === null) return isUsed ? 'Unknown: no price is known for this model' : 'Nothing';
  return `US$ ${cost.toLocaleString('en', { maximumSignificantDigits: 3, maximumFractionDigits: 9 })}`;
}
