import { ApiProperty } from '@nestjs/swagger';
import { PartnerProfile } from '../entities/integration.entity';
import { Onboarding, OnboardingAddresses } from './onboarding';

/** The profile in force. */
export class PartnerProfileReply implements PartnerProfile {
  @ApiProperty({ type: String, nullable: true })
  scope: string | null;

  @ApiProperty({ enum: ['basic_raw', 'basic_form_encoded'] })
  client_auth: 'basic_raw' | 'basic_form_encoded';

  @ApiProperty()
  client_id_in_body: boolean;

  @ApiProperty()
  pkce: boolean;

  @ApiProperty({ type: 'integer' })
  access_token_lifetime_s: number;

  @ApiProperty({ type: 'integer' })
  timeout_ms: number;

  @ApiProperty({ type: String, nullable: true })
  revocation_path: string | null;

  @ApiProperty({ type: String, nullable: true })
  redirect_base: string | null;

  @ApiProperty({ type: String, nullable: true })
  issuer: string | null;
}

/** Addresses of one deployment. */
export class OnboardingAddressesReply implements OnboardingAddresses {
  @ApiProperty({ description: 'Stored by the partner with the client' })
  redirect_url: string;

  @ApiProperty({
    type: [String],
    description: 'Registered in addition during a change of our domain; then `profile.redirect_base` chooses one',
  })
  further_redirect_urls: string[];

  @ApiProperty()
  send_event_url: string;

  @ApiProperty({ type: [String], description: 'The addresses of our requests, for the allow-list of the partner' })
  egress_addresses: string[];
}

/** Onboarding data for the partner. */
export class OnboardingReply implements Onboarding {
  @ApiProperty()
  platform: string;

  @ApiProperty()
  test: OnboardingAddressesReply;

  @ApiProperty()
  production: OnboardingAddressesReply;

  @ApiProperty({ type: [String], description: 'The steps in order (specification, Flow rules 7)' })
  steps: string[];

  @ApiProperty()
  recommendation: string;
}

/** An integration without its secrets. */
export class IntegrationReply {
  @ApiProperty({ format: 'uuid', description: 'Derived from the platform name, so that test and production share it' })
  integration_id: string;

  @ApiProperty()
  platform: string;

  @ApiProperty()
  partner: string;

  @ApiProperty()
  organizer_id: string;

  @ApiProperty()
  display_name: string;

  @ApiProperty({ enum: ['active', 'paused'] })
  status: 'active' | 'paused';

  @ApiProperty()
  authorization_url: string;

  @ApiProperty()
  base_url: string;

  @ApiProperty()
  client_id: string;

  @ApiProperty({ description: 'Whether two client secrets are live' })
  client_secret_rotating: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Requests per second of the partner over all of its keys, and their burst',
  })
  rate_per_second: number;

  @ApiProperty()
  profile: PartnerProfileReply;

  @ApiProperty({ type: 'integer', description: 'Grows with every change' })
  version: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  @ApiProperty()
  onboarding: OnboardingReply;
}

/** A page of integrations. */
export class IntegrationPageReply {
  @ApiProperty({ type: [IntegrationReply] })
  items: IntegrationReply[];

  @ApiProperty({ type: String, nullable: true })
  next_cursor: string | null;
}
