import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, OperatorGuard, UuidPipe, type Operator } from '@podium/runtime/http';
import { checkTask } from './check-task';
import { taskReply, taskWithVersions } from './definition-reply';
import { DefinitionsQuery, PublishDto } from './definition.dto';
import { DefinitionsService } from './definitions.service';
import { GivenVersion } from './draft-version';
import { CreateTaskDto, TaskPageReply, TaskVersionDto, TaskWithVersionsReply } from './task.dto';

/** Tasks, for operators. */
@ApiTags('Tasks')
@ApiBearerAuth('operator-token')
@UseGuards(OperatorGuard)
@Controller('admin/v1/tasks')
export class TasksController {
  constructor(private readonly definitions: DefinitionsService) {}

  @Post()
  @ApiOperation({
    operationId: 'createTask',
    summary: 'Create a task as a draft',
    description: 'Role editor for the organizer of the platform.',
  })
  @ApiCreatedResponse({ type: TaskWithVersionsReply })
  async create(@CurrentOperator() operator: Operator, @Body() dto: CreateTaskDto): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.create('task', operator, dto.platform, given(dto)));
  }

  @Get()
  @ApiOperation({ operationId: 'listTasks', summary: 'List tasks, newest first', description: 'Role viewer.' })
  @ApiOkResponse({ type: TaskPageReply })
  list(@CurrentOperator() operator: Operator, @Query() query: DefinitionsQuery): Promise<TaskPageReply> {
    return this.definitions.list('task', operator, query, taskReply);
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getTask', summary: 'Show a task with its versions', description: 'Role viewer.' })
  @ApiOkResponse({ type: TaskWithVersionsReply })
  async show(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.show('task', operator, id));
  }

  @Post(':id/versions')
  @ApiOperation({
    operationId: 'addTaskVersion',
    summary: 'Add a version as a draft',
    description:
      'Role editor. Published versions do not change. A changed goal, repeat or zone starts a generation, whose task window begins at its `in_force_from`.',
  })
  @ApiCreatedResponse({ type: TaskWithVersionsReply })
  async addVersion(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: TaskVersionDto,
  ): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.addVersion('task', operator, id, given(dto)));
  }

  @Post(':id/publish')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'publishTask',
    summary: 'Publish a draft',
    description:
      'Role approver, another operator than the one who wrote the version. Each instant of event time meets the version that is in force at it, the first version all earlier ones too.',
  })
  @ApiOkResponse({ type: TaskWithVersionsReply })
  async publish(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
    @Body() dto: PublishDto,
  ): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.publish('task', operator, id, dto));
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'pauseTask',
    summary: 'Pause a task',
    description:
      'Role editor. Events still count; their effects follow on resume. A task that has ended still awards what events of before ' +
      'its end reach, for 56 days. Paused, it awards nothing more: what it reaches is held and can only be refused, because it ' +
      'cannot be resumed.',
  })
  @ApiOkResponse({ type: TaskWithVersionsReply })
  async pause(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
  ): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.move('task', operator, id, 'paused'));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ operationId: 'resumeTask', summary: 'Resume a task', description: 'Role editor.' })
  @ApiOkResponse({ type: TaskWithVersionsReply })
  async resume(
    @CurrentOperator() operator: Operator,
    @Param('id', UuidPipe) id: string,
  ): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.move('task', operator, id, 'published'));
  }

  @Post(':id/end')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'endTask',
    summary: 'End a task permanently',
    description:
      'Role editor. Takes effect at the first full 10 minutes that are at least 10 minutes ahead. What a pause holds is issued on ' +
      'resume only: of a task that ends while it is paused, it is never issued.',
  })
  @ApiOkResponse({ type: TaskWithVersionsReply })
  async end(@CurrentOperator() operator: Operator, @Param('id', UuidPipe) id: string): Promise<TaskWithVersionsReply> {
    return taskWithVersions(await this.definitions.move('task', operator, id, 'ended'));
  }
}

function given(dto: TaskVersionDto): GivenVersion {
  return { name: dto.name, check: (catalogue) => checkTask(dto, catalogue) };
}
