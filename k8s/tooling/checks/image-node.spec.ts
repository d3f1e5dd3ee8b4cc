import { imageNodeMajor } from './image-node';

describe('the Node of the images', () => {
  it('is one for all stages', () => {
    const stages = 'FROM node:24-bookworm-slim AS sources\nFROM sources AS sandbox\n';
    expect(imageNodeMajor(`${stages}FROM node:24-bookworm-slim\n`)).toBe('24');
    expect(() => imageNodeMajor(`${stages}FROM node:26-bookworm-slim\n`)).toThrow('24 and 26 major version');
    expect(() => imageNodeMajor('FROM debian')).toThrow('no major version');
  });
});
