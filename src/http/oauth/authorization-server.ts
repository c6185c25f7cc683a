import type { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AllowedRequest, PendingRequest } from '../../core/access/oauth/consent.ts';
import type { ClientKind } from '../../core/access/oauth/store.ts';
import type { AuthorizationServerParts } from './adapter.ts';
import type { OAuthBase } from './address.ts';
import { bendAnswers, bendModels } from './bends.ts';
import { configurationOf } from './configuration.ts';
import { acceptAssertions } from './jwt-bearer.ts';

/** OAuth 2.1 by `oidc-provider`, for one issuer. */
export class AuthorizationServer {
  readonly base: OAuthBase;
  private readonly provider: Provider;
  private readonly parts: AuthorizationServerParts;

  constructor(base: OAuthBase, parts: AuthorizationServerParts) {
    this.base = base;
    this.parts = parts;
    this.provider = new Provider(base, configurationOf(base, parts));
    // The library then takes its own address from the headers that `handle` sets.
    this.provider.proxy = true;
    this.provider.use(bendAnswers(base, parts));
    bendModels(this.provider, parts);
    acceptAssertions(this.provider, base, {
      clientOf: async (clientId, name) => ({
        clientId,
        clientName: name ?? null,
        clientKind: await this.kindOf(clientId),
      }),
      assertedGrant: (request) => parts.assertedGrant(request),
    });
    this.provider.on('authorization.error', (context, error) => {
      context.state.fault = error;
    });
    this.provider.on('grant.revoked', (context, grantId) => void this.recordEnd(context, grantId));
    this.provider.on('server_error', (_context, error) => parts.onError(error));
    // Koa prints errors that nobody listens for.
    (this.provider as EventEmitter).on('error', (error) => parts.onError(error));
  }

  /** The address is that of the issuer, which behind a proxy is not that of the request. */
  async handle(request: Request, response: Response): Promise<void> {
    const { protocol, host } = new URL(this.base);
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    request.headers['x-forwarded-host'] = host;
    await this.provider.callback()(request, response);
  }

  /** Null if it is unknown, answered or expired. */
  async pending(id: string): Promise<PendingRequest | null> {
    const interaction = await this.provider.Interaction.find(id);
    if (!interaction || interaction.result) return null;
    const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = interaction.params;
    const client = await this.provider.Client.find(String(clientId));
    if (!client) return null;
    return {
      clientId: client.clientId,
      clientName: client.clientName ?? null,
      clientKind: await this.kindOf(client.clientId),
      redirectUri: String(redirectUri),
      resource: String([resource].flat()[0]),
      scopes: String(scope ?? '').split(' '),
      expiresAt: interaction.exp * 1_000,
    };
  }

  allow(id: string, { userId, grantId, approvalHash }: AllowedRequest): Promise<string> {
    return this.answer(id, { login: { accountId: userId, remember: false }, consent: { grantId }, approvalHash });
  }

  refuse(id: string): Promise<string> {
    return this.answer(id, { error: 'access_denied', error_description: 'The user refused.' });
  }

  private async answer(id: string, result: Record<string, unknown>): Promise<string> {
    const interaction = await this.provider.Interaction.find(id);
    if (!interaction) throw new Error('the request has expired');
    interaction.result = result;
    await interaction.persist();
    return interaction.returnTo;
  }

  private async kindOf(clientId: string): Promise<ClientKind> {
    return (await this.parts.store.findClient(clientId))?.kind ?? 'document';
  }

  private async recordEnd(context: KoaContextWithOIDC, grantId: string): Promise<void> {
    try {
      const grant = await this.parts.store.findGrant(grantId);
      const isRevocation = context.oidc.route === 'revocation';
      const reason = isRevocation ? 'revoked by the application' : 'a used refresh token or code came again';
      if (grant) await this.parts.onEnded(grant, reason);
    } catch (error) {
      this.parts.onError(error);
    }
  }
}
