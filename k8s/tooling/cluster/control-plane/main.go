// One program that holds every part of a Kubernetes control plane and of its simulated nodes: most of their code is the
// same, so that one build and one link take far less time and memory than five. The first argument names the part.
package main

import (
	"fmt"
	"os"
	_ "time/tzdata" // CronJobs have time zones

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kwokconfig "sigs.k8s.io/kwok/pkg/config"
	kwok "sigs.k8s.io/kwok/pkg/kwok/cmd"
	kwoklog "sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

var parts = map[string]func(){
	"etcd":                    func() { etcdmain.Main(os.Args) },
	"kube-apiserver":          func() { run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() { run(controllermanager.NewControllerManagerCommand()) },
	"kube-scheduler":          func() { run(scheduler.NewSchedulerCommand()) },
	"kwok":                    runKwok,
}

func main() {
	if len(os.Args) < 2 || parts[os.Args[1]] == nil {
		fail(fmt.Errorf("usage: %s etcd|kube-apiserver|kube-controller-manager|kube-scheduler|kwok [flags]", os.Args[0]))
	}
	part := parts[os.Args[1]]
	// Each part reads its flags itself and takes the first argument for the name of its program.
	os.Args = os.Args[1:]
	part()
}

func run(command *cobra.Command) {
	os.Exit(cli.Run(command))
}

// kwok reads its configuration file before its command knows the flags. What the other parts have added to the flags of the
// program is not for it.
func runKwok() {
	pflag.CommandLine = pflag.NewFlagSet(os.Args[0], pflag.ContinueOnError)
	flags := pflag.NewFlagSet("global", pflag.ContinueOnError)
	flags.ParseErrorsWhitelist.UnknownFlags = true
	flags.Usage = func() {}
	ctx, _ := kwoklog.InitFlags(signals.SetupSignalContext(), flags)
	ctx, err := kwokconfig.InitFlags(ctx, flags)
	if err != nil {
		fail(err)
	}
	command := kwok.NewCommand(ctx)
	command.PersistentFlags().AddFlagSet(flags)
	if err := command.ExecuteContext(ctx); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
