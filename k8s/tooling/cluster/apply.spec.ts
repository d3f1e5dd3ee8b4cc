import { readApplyOutput } from './apply';

describe('the output of kubectl apply', () => {
  it('counts accepted objects; refusals and warnings are problems', () => {
    const output = [
      'namespace/podium-test serverside-applied',
      'Warning: would violate PodSecurity "restricted:latest"',
      'deployment.apps/gateway serverside-applied',
      'The NetworkPolicy "linkage" is invalid: spec.egress[3].to[1].ipBlock.except[1]: Invalid value: "::ffff:0:0/96"',
      '',
    ].join('\n');
    expect(readApplyOutput(output)).toEqual({
      count: 2,
      problems: [
        'Warning: would violate PodSecurity "restricted:latest"',
        'The NetworkPolicy "linkage" is invalid: spec.egress[3].to[1].ipBlock.except[1]: Invalid value: "::ffff:0:0/96"',
      ],
    });
  });
});
