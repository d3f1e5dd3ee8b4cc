import * as fs from 'node:fs';
import * as path from 'node:path';

/**
 * A secret as Kubernetes mounts it: the name is a symbolic link through `..data`. A new value is a new folder, to which that
 * link is switched atomically.
 */
export class SecretFile {
  readonly path: string;
  private version = 0;

  constructor(
    private readonly folder: string,
    private readonly name: string,
    value: string,
  ) {
    fs.mkdirSync(folder, { recursive: true });
    this.path = path.join(folder, name);
    this.write(value);
    fs.symlinkSync(path.join('..data', name), this.path);
  }

  write(value: string): void {
    const data = `..v${++this.version}`;
    fs.mkdirSync(path.join(this.folder, data));
    fs.writeFileSync(path.join(this.folder, data, this.name), value, { mode: 0o600 });
    fs.symlinkSync(data, path.join(this.folder, '..next'));
    fs.renameSync(path.join(this.folder, '..next'), path.join(this.folder, '..data'));
  }
}
