import { InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import type { ProviderFault } from '../../core/agents/chat/provider.ts';
import { bedrockClient, withHeaders } from '../bedrock/client.ts';
import { faultOfAws } from '../bedrock/faults.ts';
import { faultOfConnection } from '../shared/faults.ts';
import { familyOf } from './bedrock-families.ts';
import type { EmbeddingModel, ModelSettings } from './model.ts';
import { embeddingFaultOf, membersOf } from './model.ts';

export function bedrockModel({ model, dimensions, connection }: ModelSettings): EmbeddingModel {
  const { limits, body, vectors } = familyOf(model);
  return {
    limits,
    ask: async (texts, use, signal) => {
      const command = new InvokeModelCommand({
        modelId: model,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify(body(texts, use, dimensions)),
      });
      try {
        const answer = await bedrockClient(connection).send(withHeaders(command, connection), { abortSignal: signal });
        return vectors(membersOf(answer.body.transformToString()));
      } catch (error) {
        throw embeddingFaultOf(error, faultOfInvoking);
      }
    },
  };
}

/** Half a response is of no use, unlike half a stream: it counts as none. */
function faultOfInvoking(error: unknown): ProviderFault {
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? faultOfConnection(error) : faultOfAws(error);
}
