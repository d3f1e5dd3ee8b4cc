import { Manifest } from '../generators/yaml-file';

/** Labels by which pods or namespaces are selected. */
export type Labels = Readonly<Record<string, string>>;

/** Addresses outside of the cluster, in CIDR notation. */
export interface IpBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** The peer of a rule. */
export interface Peer {
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly namespaceSelector?: { readonly matchLabels?: Labels };
  readonly ipBlock?: IpBlock;
}

/** One rule of a policy: without peers any peer, without ports any port. */
export interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number }[];
}

/** A NetworkPolicy: the fields that rules check. */
export interface NetworkPolicy extends Manifest {
  readonly spec: {
    readonly podSelector: { readonly matchLabels?: Labels };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}
